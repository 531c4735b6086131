# SPDX-License-Identifier: Apache-2.0
# How the targets of this project are compiled. Nothing here affects a project that uses genesys.
include(genesys-cxx20)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
  endif()

  # Host code has the same flags in C++ and in CUDA sources.
  set(CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  set(CMAKE_CUDA_FLAGS_DEBUG "${CMAKE_CXX_FLAGS_DEBUG}")

  if(GENESYS_SANITIZE)
    if(GENESYS_WITH_CUDA)
      message(FATAL_ERROR "genesys: GENESYS_SANITIZE needs GENESYS_CUDA=OFF: CUDA's driver does not run under it")
    endif()
    add_compile_options(-fsanitize=${GENESYS_SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${GENESYS_SANITIZE})
  endif()
endif()

# For all targets here, and for projects that use them (src/CMakeLists.txt), because both compile the same headers.
if(GENESYS_ASSERTIONS)
  add_compile_definitions(GENESYS_ASSERTIONS=1)
endif()

# For sources that use OpenMP, with gomp. clang then makes a program of one thread: the runtime of its own OpenMP is a
# package apart.
set(genesys_openmp -fopenmp)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(genesys_openmp -fopenmp=libgomp)
endif()

# Compiles several sources of a target together: most of the time goes to headers. g++ collects its garbage less often,
# for a tenth of the time and a third more memory.
function(genesys_unity target)
  if(GENESYS_UNITY)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=400000>)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

# Warnings are errors only in this project's presets: another compiler may have more warnings.
function(genesys_warnings target)
  if(GENESYS_WARNINGS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Werror;-Werror=all-warnings>)
  endif()
endfunction()
