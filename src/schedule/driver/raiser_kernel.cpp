// SPDX-License-Identifier: Apache-2.0
// Compiled by nvcc.
#include "schedule/driver/raiser_kernel.h"

#include <string>

#include "genesys/detail/schedule/resident_raiser.h"
#include "genesys/error.h"

namespace genesys::schedule {
namespace {

// A program that synchronizes with the device, or frees memory, waits for this kernel, too. CUDA may hold a lock
// meanwhile, on which the driver's thread then waits. So the kernel leaves by itself.
constexpr detail::u64 limit_ns = 50'000'000;

__global__ void raise_flags(detail::aborts::raiser_context with) { detail::aborts::serve_raises(with, limit_ns); }

}  // namespace

void launch_raiser(const detail::aborts::raiser_context& with, cudaStream_t in) {
  raise_flags<<<1, 32, 0, in>>>(with);
  const cudaError_t returned = cudaGetLastError();
  if (returned != cudaSuccess) {
    throw error(error_code::launch_failed,
                std::string("launching the resident raiser failed: ") + cudaGetErrorString(returned));
  }
}

}  // namespace genesys::schedule
