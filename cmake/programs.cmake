# SPDX-License-Identifier: Apache-2.0
# genesys_add_program: a program with kernels. genesys_kernel_sources: the properties of sources with kernels.

# Kernels are ordinary C++. With the cuda device they are compiled as CUDA and run on either device; without it, as C++,
# for the cpu device. Call this in the folder that adds the target.
function(genesys_kernel_sources)
  foreach(source IN LISTS ARGN)
    if(NOT IS_ABSOLUTE "${source}")
      set(source "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
    endif()
    if(NOT EXISTS "${source}")  # CMake accepts properties of a file that is not there
      message(FATAL_ERROR "genesys: there is no file ${source}")
    endif()
  endforeach()
  if(GENESYS_WITH_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()

set(GENESYS_CUDA_PROGRAMS "" CACHE STRING "Programs that nvcc compiles: targets; empty: all")

# genesys_add_program(NAME SOURCES... [HOST SOURCES...] [FOLDER under the build's bin/] [TARGET, if it is not NAME])
# SOURCES contain or launch kernels. Sources after HOST do neither, and are always compiled as C++. If nvcc does not
# compile the program, it is for tests on the CPU device. The program is <build>/bin/<FOLDER>/<NAME>.
function(genesys_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;TARGET" "HOST")
  if(NOT arg_TARGET)
    set(arg_TARGET ${name})
  endif()
  add_executable(${arg_TARGET} ${arg_UNPARSED_ARGUMENTS} ${arg_HOST})
  if(NOT GENESYS_CUDA_PROGRAMS OR arg_TARGET IN_LIST GENESYS_CUDA_PROGRAMS)
    genesys_kernel_sources(${arg_UNPARSED_ARGUMENTS})
  else()
    target_compile_options(${arg_TARGET} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  target_link_libraries(${arg_TARGET} PRIVATE genesys::genesys)
  genesys_warnings(${arg_TARGET})
  set_target_properties(${arg_TARGET} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${arg_FOLDER}")
endfunction()
