# Installs the build into a fresh prefix, builds the consumer against it and runs it.
# usage: cmake -DBUILD_DIR=... -DPROGRAM=... -DPROJECT=... -DCONFIG=... -DWORK_DIR=... -P install_and_build.cmake
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix --config ${CONFIG})
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DPROGRAM=${PROGRAM}
    -DCMAKE_BUILD_TYPE=${CONFIG})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
file(GLOB_RECURSE program LIST_DIRECTORIES false ${WORK_DIR}/build/consumer ${WORK_DIR}/build/*/consumer.exe)
list(GET program 0 program)
run(${program})
