# SPDX-License-Identifier: Apache-2.0
# Files with services, which tests load into a running server: shared objects, and PTX if there is nvcc.
set(genesys_service_files "${PROJECT_BINARY_DIR}/bin/service_files")

# genesys_service_file(TEST NAME SOURCE [DEFINITION...]): the program TEST loads NAME, made of files/SOURCE.cpp.
function(genesys_service_file test name source)
  add_library(genesys_service_file_${name} MODULE files/${source}.cpp)
  target_include_directories(genesys_service_file_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_compile_features(genesys_service_file_${name} PRIVATE cxx_std_20)
  target_compile_definitions(genesys_service_file_${name} PRIVATE ${ARGN})
  target_compile_options(genesys_service_file_${name} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> $<$<CONFIG:Release>:-O1>)
  genesys_warnings(genesys_service_file_${name})
  set_target_properties(genesys_service_file_${name} PROPERTIES
    PREFIX "" SUFFIX ".so" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY "${genesys_service_files}")
  add_dependencies(${test} genesys_service_file_${name})
  if(GENESYS_TESTS_ON_CUDA)
    list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
    string(REGEX MATCH "^[0-9]+" architecture "${architecture}")
    list(TRANSFORM ARGN PREPEND "-D")
    add_custom_command(OUTPUT "${genesys_service_files}/${name}.ptx" VERBATIM
      COMMAND "${CMAKE_CUDA_COMPILER}" -std=c++20 -ptx -rdc=true -arch=compute_${architecture} ${ARGN}
        -I "${PROJECT_SOURCE_DIR}/include" -x cu "${CMAKE_CURRENT_SOURCE_DIR}/files/${source}.cpp"
        -o "${genesys_service_files}/${name}.ptx" -MD -MF "${genesys_service_files}/${name}.d"
      DEPENDS "files/${source}.cpp" DEPFILE "${genesys_service_files}/${name}.d")
    target_sources(${test} PRIVATE "${genesys_service_files}/${name}.ptx")
  endif()
endfunction()
