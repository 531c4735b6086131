// SPDX-License-Identifier: Apache-2.0
// Launches one kernel source on either device. The kernel is a functor; the launch copies it and its arguments to the
// device:
//
//   struct hello { GENESYS_KERNEL void operator()(genesys::os os) const { os.write(1, "hello\n", 6); } };
//   genesys::run run = genesys::launch(rt, {.blocks = {64}, .threads = {256}}, hello{});
//   run.drain();
//
// A lambda is a kernel too, if nvcc has the option --extended-lambda:
//
//   genesys::launch(rt, {}, [=] GENESYS_LAMBDA (genesys::os os) { os.close(fd); }).drain();
//
// An ordinary __global__ kernel does not need this header: pass it rt.attach(stream).os().
#pragma once

#include <cstddef>
#include <string>
#include <typeinfo>

#include "genesys/kernel.h"
#include "genesys/os.h"
#include "genesys/runtime.h"

namespace genesys {

inline os run::os() const { return genesys::os(begin_launch()); }

// The shape of a launch, as in CUDA.
struct launch_config {
  dim blocks = {};               // of the grid
  dim threads = {};              // of each block
  std::size_t shared_bytes = 0;  // dynamic shared memory of each block
  // A cudaStream_t; null: CUDA's default stream. On the CPU device any pointer names a stream. Launches of one stream
  // run one after another.
  void* stream = nullptr;
  const char* name = nullptr;  // in reports and recordings; null: the kernel's type
};

namespace detail {

// Under nvcc the type of a lambda marked GENESYS_LAMBDA is a wrapper that nvcc itself copies to the device.
template <class F>
constexpr bool is_plain_kernel() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  return std::is_trivially_copyable_v<F> || __nv_is_extended_host_device_lambda_closure_type(F);
#else
  return std::is_trivially_copyable_v<F>;
#endif
}

#if defined(__CUDACC__)

// The most threads of a block: 1,024, unless the kernel has `static constexpr unsigned threads_max = N;`. With a
// smaller number it may use more registers. kernel_entry also asks for one block per multiprocessor. Without that,
// ptxas may halve the registers of a kernel that makes calls, so that two blocks fit, and spill values to local memory.
template <class F>
constexpr unsigned threads_max_of() {
  if constexpr (requires { F::threads_max; }) return F::threads_max;
  return 1024;
}

template <class F, class... Args>
__global__ void __launch_bounds__(threads_max_of<F>(), 1) kernel_entry(os os, F kernel, Args... args) {
  kernel(os, args...);
}

inline void check_launch(cudaError_t result, const char* doing) {
  if (result != cudaSuccess) {
    (void)cudaGetLastError();  // clears CUDA's error, so that the next launch does not report it again
    throw error(error_code::launch_failed, std::string(doing) + " failed: " + cudaGetErrorString(result));
  }
}

#endif
}  // namespace detail

// Starts `kernel(os, args...)` in every thread of the grid and returns without waiting; run::drain() waits. The kernel
// and its arguments must be trivially copyable, and pointers among them valid on the device. Any host thread may call
// it. Throws error: launch_failed, not_built (a CUDA runtime in a file that nvcc did not compile), and the errors of
// runtime::attach.
template <class F, class... Args>
[[nodiscard]] run launch(runtime& rt, const launch_config& config, F kernel, Args... args) {
  static_assert((detail::is_plain_kernel<F>() && ... && std::is_trivially_copyable_v<Args>),
                "kernels take plain values");
  static const std::string type = detail::name_of_type(typeid(F));
  run started = rt.attach(config.stream, config.name != nullptr ? config.name : type);
  if (rt.kind() == device_kind::cuda) {
#if defined(__CUDACC__)
    const auto entry = detail::kernel_entry<F, Args...>;
    if (config.shared_bytes != 0) {  // with static shared memory, CUDA gives more than 48 KiB only if asked
      detail::check_launch(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                static_cast<int>(config.shared_bytes)),
                           "setting the kernel's shared memory");
    }
    cudaLaunchConfig_t shape{};
    shape.gridDim = dim3(config.blocks.x, config.blocks.y, config.blocks.z);
    shape.blockDim = dim3(config.threads.x, config.threads.y, config.threads.z);
    shape.dynamicSmemBytes = config.shared_bytes;
    shape.stream = static_cast<cudaStream_t>(config.stream);
    // Unlike <<<>>>, this returns only the error of this launch, not one that an earlier CUDA call left behind.
    detail::check_launch(cudaLaunchKernelEx(&shape, entry, started.os(), kernel, args...), "launching the kernel");
    started.launched();
#else
    throw error(error_code::not_built,
                "this file was compiled without nvcc, so its kernels run on the CPU device only");
#endif
  } else {
    const genesys::os os = started.os();
    started.start_on_cpu(config.blocks, config.threads, config.shared_bytes, [=] { kernel(os, args...); });
    started.launched();
  }
  return started;
}

}  // namespace genesys
