# SPDX-License-Identifier: Apache-2.0
# Decides which devices and executors are built: sets GENESYS_WITH_CUDA, GENESYS_WITH_CPU and GENESYS_WITH_URING, and
# prints the decisions and their reasons.
#
# The library itself has no device code: for the cuda device it needs the headers and libcudart of a toolkit, but not
# nvcc. nvcc (the language CUDA) compiles the samples, benches and tests, so only a top-level build looks for it.

set(GENESYS_CUDA_MINIMUM 13.0)
set(GENESYS_WITH_CUDA FALSE)
set(GENESYS_WITH_CPU FALSE)
foreach(device CUDA CPU)
  if(NOT GENESYS_${device} MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|1|0)$")
    message(FATAL_ERROR "genesys: GENESYS_${device} is '${GENESYS_${device}}', but must be AUTO, ON or OFF")
  endif()
endforeach()

find_package(Threads REQUIRED)

# Reports why a device is missing: an error if the user asked for it, otherwise a message.
macro(genesys_device_missing device why)
  if(GENESYS_${device} STREQUAL "AUTO")
    message(STATUS "genesys: without the ${device} device: ${why}")
  else()
    message(FATAL_ERROR "genesys: GENESYS_${device} is ${GENESYS_${device}}, but ${why}")
  endif()
endmacro()

if(GENESYS_CUDA)
  find_package(CUDAToolkit ${GENESYS_CUDA_MINIMUM} QUIET)
  if(NOT CUDAToolkit_FOUND)
    genesys_device_missing(CUDA "no CUDA toolkit ${GENESYS_CUDA_MINIMUM} or newer was found")
  elseif(NOT TARGET CUDA::cudart_static)
    genesys_device_missing(CUDA "the CUDA toolkit in ${CUDAToolkit_LIBRARY_DIR} has no libcudart_static.a")
  elseif(NOT PROJECT_IS_TOP_LEVEL)
    set(GENESYS_WITH_CUDA TRUE)
  else()
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures of the samples, benches and tests")
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
      set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}" CACHE FILEPATH "The CUDA compiler")
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
      set(GENESYS_WITH_CUDA TRUE)
    else()
      genesys_device_missing(CUDA "no CUDA compiler was found that works with this C++ compiler")
    endif()
  endif()
endif()

if(GENESYS_CPU)
  if(POLICY CMP0167)
    cmake_policy(SET CMP0167 NEW)  # Boost's own package file, not CMake's old module
  endif()
  find_package(Boost 1.71 QUIET COMPONENTS context)
  if(TARGET Boost::context)
    set(GENESYS_WITH_CPU TRUE)
  else()
    genesys_device_missing(CPU "Boost.Context was not found (Debian and Ubuntu: libboost-context-dev)")
  endif()
endif()

if(NOT GENESYS_WITH_CUDA AND NOT GENESYS_WITH_CPU)
  message(FATAL_ERROR "genesys: no device to build: genesys needs a CUDA toolkit ${GENESYS_CUDA_MINIMUM} or newer, or "
    "Boost.Context (Debian and Ubuntu: libboost-context-dev)")
endif()

set(genesys_devices "")
if(GENESYS_WITH_CUDA)
  list(APPEND genesys_devices "cuda (toolkit ${CUDAToolkit_VERSION}, ${CUDAToolkit_LIBRARY_DIR})")
endif()
if(GENESYS_WITH_CPU)
  list(APPEND genesys_devices "cpu (Boost ${Boost_VERSION_STRING})")
endif()
list(JOIN genesys_devices ", " genesys_devices)
message(STATUS "genesys: devices: ${genesys_devices}")

set(GENESYS_WITH_URING FALSE)
if(GENESYS_URING)
  include(genesys-liburing)
  if(TARGET genesys::liburing)
    set(GENESYS_WITH_URING TRUE)
  elseif(GENESYS_URING STREQUAL "AUTO")
    message(STATUS "genesys: without the executor uring: liburing was not found (Debian and Ubuntu: liburing-dev)")
  else()
    message(FATAL_ERROR "genesys: GENESYS_URING is ${GENESYS_URING}, but liburing was not found (Debian and Ubuntu: "
      "liburing-dev)")
  endif()
endif()
