# SPDX-License-Identifier: Apache-2.0
# The functions of CUDA that faults.cpp wraps. From this list tests/CMakeLists.txt makes both cuda_calls.h, for the
# compiler, and the --wrap options, for the linker. A failing function does nothing.

# They fail with cudaErrorMemoryAllocation.
set(cuda_calls_no_memory
  cudaEventCreateWithFlags
  cudaHostAlloc
  cudaHostRegister
  cudaMalloc
  cudaStreamCreateWithFlags
  cudaStreamCreateWithPriority)

# They fail with cudaErrorUnknown.
set(cuda_calls_unknown
  cudaDeviceGetAttribute
  cudaDeviceGetStreamPriorityRange
  cudaDriverGetVersion
  cudaEventDestroy
  cudaEventQuery
  cudaEventRecord
  cudaEventSynchronize
  cudaFree
  cudaFreeHost
  cudaGetDevice
  cudaGetDeviceCount
  cudaGetDeviceProperties
  cudaHostGetDevicePointer
  cudaHostUnregister
  cudaMemGetInfo
  cudaMemcpy2DAsync
  cudaMemcpyAsync
  cudaMemsetAsync
  cudaSetDevice
  cudaStreamDestroy
  cudaStreamQuery
  cudaStreamSynchronize)

# faults.cpp has its own wrapper for this function, by which the library finds functions of the driver.
set(cuda_calls_with_own_wrapper cudaGetDriverEntryPointByVersion)
