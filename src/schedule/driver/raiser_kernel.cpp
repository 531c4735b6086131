// SPDX-License-Identifier: Apache-2.0
// Compiled by nvcc.
#include "schedule/driver/raiser_kernel.h"

#include <string>

#include "genesys/detail/schedule/resident_raiser.h"
#include "genesys/error.h"

namespace genesys::schedule {
namespace {

__global__ void raise_flags(detail::aborts::raiser_context with) { detail::aborts::serve_raises(with, 0); }

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
