# Runs check_layers.cmake on small trees, each with one violation, and reads what it says.
# usage: cmake -DCHECK=.../check_layers.cmake -DWORK_DIR=... -P planted_violations.cmake

# The check's answer for a tree whose only file is FILE with the line LINE.
function(answer_for file line result output)
  file(REMOVE_RECURSE ${WORK_DIR})
  file(WRITE ${WORK_DIR}/${file} "${line}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${WORK_DIR} -P ${CHECK}
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} ${status} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect_violation file line message)
  answer_for(${file} "${line}" status text)
  # CMake wraps messages.
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(status EQUAL 0 OR NOT text MATCHES "${message}")
    message(FATAL_ERROR "in ${file}: ${line}\nshould fail with '${message}', exit status ${status}:\n${text}")
  endif()
endfunction()

function(expect_no_violation file line)
  answer_for(${file} "${line}" status text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "in ${file}: ${line}\nshould pass, exit status ${status}:\n${text}")
  endif()
endfunction()

expect_no_violation(tensor/a.cpp "#include \"lookback/kernels/matmul.hpp\"")
expect_no_violation(tensor/a.cpp "#include \"lookback/tensor/tensor.hpp\"")
expect_no_violation(tools/a.cpp "  std::printf(\"done\")\;")
expect_no_violation(core/a.cpp "  std::snprintf(digits, sizeof digits, \"%g\", value)\;")

expect_violation(kernels/a.cpp "#include \"lookback/tensor/tensor.hpp\"" "layer kernels includes tensor")
expect_violation(core/deep/a.hpp "#include \"lookback/tools/files.hpp\"" "layer core includes tools")
expect_violation(core/a.hpp "#include <lookback/nn/linear.hpp>" "layer core includes nn")
expect_violation(core/a.hpp "#  include \"lookback/nn/linear.hpp\"" "layer core includes nn")
expect_violation(nn/a.cpp "#include \"lookback/unheard_of/a.hpp\"" "layer nn includes unheard_of")
expect_violation(nn/a.cpp "#include \"linear.hpp\"" "not written from the root")
expect_violation(io/a.cpp "  std::cout << 1\;" "library code prints or ends the program")
expect_violation(io/a.cpp "  printf(\"done\")\;" "library code prints or ends the program")
expect_violation(io/a.cpp "printf(\"done\")\;" "library code prints or ends the program")
expect_violation(io/a.cpp "  std::exit(1)\;" "library code prints or ends the program")
expect_violation(io/a.cpp "  abort()\;" "library code prints or ends the program")
