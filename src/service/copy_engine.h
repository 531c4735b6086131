// SPDX-License-Identifier: Apache-2.0
// Copies between pinned memory and device memory that go on beside the non-stop kernel: on a GPU by its copy engines,
// one for each way. A pipeline has one; one thread at a time calls it.
#pragma once

#include <cstddef>
#include <memory>

#include "target/device.h"

namespace genesys::detail::services {

enum class copy_way { to_device, to_host };

class copy_engine {
 public:
  virtual ~copy_engine() = default;
  // Begins a copy behind those of the same way, and returns its number, which counts from 1. It waits for no kernel.
  // The memory of the host lies in one registration. Throws error(launch_failed).
  virtual u64 begin(copy_way way, void* to, const void* from, std::size_t bytes) = 0;
  // Copies of this way up to this number have ended. Throws error(launch_failed).
  virtual u64 ended(copy_way way) = 0;
};

#if GENESYS_WITH_CPU
std::unique_ptr<copy_engine> cpu_copy_engine(device& on);  // a copy has ended when begin() returns
#endif
#if GENESYS_WITH_CUDA
std::unique_ptr<copy_engine> cuda_copy_engine(device& on);  // throws error(no_memory)
#endif

}  // namespace genesys::detail::services
