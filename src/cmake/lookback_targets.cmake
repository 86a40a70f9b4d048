# Functions that define the project's targets, so that flags live in one place and stay on the targets.

set(LOOKBACK_SOURCE_ROOT ${CMAKE_CURRENT_LIST_DIR}/..)

# Which vectors a native target may use; the kernels' simd.hpp takes the widest.
function(lookback_cpu target cpu)
  if(cpu STREQUAL "scalar")
    target_compile_definitions(${target} PRIVATE LOOKBACK_SIMD_SCALAR)
  elseif(MSVC OR EMSCRIPTEN)
    return()
  elseif(cpu STREQUAL "native")
    # GCC 12 takes its own AVX-512 header for uninitialised; the asan preset, without AVX-512, keeps the warnings.
    target_compile_options(${target} PRIVATE
      -march=native "$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>")
  elseif(cpu STREQUAL "avx2")
    target_compile_options(${target} PRIVATE -mavx2 -mfma)
  endif()
endfunction()

# Warnings, exceptions and SIMD of one target: lookback_flags(target [CPU avx2]).
function(lookback_flags target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CPU" "")
  if(NOT arg_CPU)
    set(arg_CPU ${LOOKBACK_CPU})
  endif()
  lookback_cpu(${target} ${arg_CPU})
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 $<$<BOOL:${LOOKBACK_DEVELOPMENT}>:/WX>)
  else()
    # Bits must not depend on whether a compiler fuses a multiply and an add.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
                                             $<$<BOOL:${LOOKBACK_DEVELOPMENT}>:-Werror>)
  endif()
  if(EMSCRIPTEN)
    # The older form of wasm exceptions is the one that all three browser engines run.
    target_compile_options(${target} PRIVATE -fwasm-exceptions -sWASM_LEGACY_EXCEPTIONS=1 -msimd128)
    target_link_options(${target} PRIVATE -fwasm-exceptions -sWASM_LEGACY_EXCEPTIONS=1)
    # Every byte is downloaded: only the kernels are worth larger code.
    if(NOT target STREQUAL "lookback_kernels")
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Oz>)
    endif()
    if(LOOKBACK_WASM_BUILD STREQUAL "relaxed")
      target_compile_options(${target} PRIVATE -mrelaxed-simd)
    endif()
  endif()
endfunction()

# One layer of the library: lookback_layer(kernels DEPENDS core SOURCES matmul.cpp ... HEADERS matmul.hpp ...).
# In development builds every header must compile alone, except INTERNAL ones, which are not installed either.
function(lookback_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;SOURCES;HEADERS;INTERNAL")
  set(target lookback_${layer})
  add_library(${target} STATIC)
  add_library(lookback::${layer} ALIAS ${target})
  target_sources(${target}
    PRIVATE ${arg_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${LOOKBACK_SOURCE_ROOT} FILES ${arg_HEADERS}
    PRIVATE FILE_SET internal TYPE HEADERS BASE_DIRS ${LOOKBACK_SOURCE_ROOT} FILES ${arg_INTERNAL})
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC lookback_${dependency})
  endforeach()
  lookback_flags(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer})
  if(LOOKBACK_DEVELOPMENT)
    set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
endfunction()
