// SPDX-License-Identifier: Apache-2.0
// Tells the two devices apart for the compiler. GENESYS_KERNEL marks functions that run inside a kernel.
// GENESYS_ON_CUDA is 1 while GPU code is compiled. GENESYS_NO_UNROLL keeps the loop after it rolled. Included by every
// header of the device side.
#pragma once

// Each #error is followed by an #include that fails: it ends the compilation, which would otherwise print hundreds of
// further errors.
#if __cplusplus < 202002L
#error "genesys needs C++20: compile with -std=c++20, or set CMAKE_CXX_STANDARD and CMAKE_CUDA_STANDARD to 20"
#include "genesys needs C++20"
#elif defined(__CUDACC__) && __CUDACC_VER_MAJOR__ < 13
#error "genesys needs nvcc of CUDA toolkit 13 or newer"
#include "genesys needs nvcc 13"
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "genesys needs a GPU from sm_80 on: compile with nvcc -arch=sm_80 or higher (CMAKE_CUDA_ARCHITECTURES)"
#include "genesys needs sm_80"
#endif

#if defined(__CUDACC__)
// nvcc compiles a kernel that calls a host function to an EMPTY kernel and only warns: 20011 and 20014; for constexpr
// functions 20013 and 20015. From here to the end of the file these are errors. A template for host types too needs
// `#pragma nv_exec_check_disable` before it.
#pragma nv_diag_error 20011
#pragma nv_diag_error 20013
#pragma nv_diag_error 20014
#pragma nv_diag_error 20015

#if defined(__CUDA_ARCH__)
#define GENESYS_KERNEL __host__ __device__ __forceinline__
#else
#define GENESYS_KERNEL __host__ __device__ inline  // forced, g++ takes ten times as long for a program like grep
#endif
#if defined(__CUDACC_RDC__) && defined(__CUDA_ARCH__)
// ptxas does not know who calls a function that is not inlined, and may give it more registers than a kernel of 1,024
// threads has. The kernel then does not compile.
#define GENESYS_KERNEL_OUTLINE __host__ __device__ __attribute__((always_inline))
#else
#define GENESYS_KERNEL_OUTLINE __host__ __device__ __noinline__
#endif
#define GENESYS_LAMBDA __host__ __device__
#else
#define GENESYS_KERNEL inline
#define GENESYS_KERNEL_OUTLINE [[gnu::noinline]]
#define GENESYS_LAMBDA
#endif

#if defined(__CUDA_ARCH__)
#define GENESYS_ON_CUDA 1
#define GENESYS_NO_UNROLL _Pragma("unroll 1")
#else
#define GENESYS_ON_CUDA 0
#define GENESYS_NO_UNROLL
#endif

#if defined(__CUDACC__)
#include "genesys/detail/target/cuda.h"
#endif
#if defined(__CUDA_ARCH__)
// The host's macro errno calls a host function, which nvcc does not report for macros of system headers. This function
// is nowhere defined: a kernel that uses errno does not link. genesys/posix.h defines the macro anew.
#include <errno.h>
namespace genesys::detail {
__host__ __device__ int& errno_needs_genesys_posix();
}
#undef errno
#define errno (::genesys::detail::errno_needs_genesys_posix())
#endif
#include "genesys/detail/target/cpu.h"
