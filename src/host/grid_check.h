// SPDX-License-Identifier: Apache-2.0
// Looks over what grids left in device memory (genesys/detail/team/grid_records.h) when their kernels have ended: calls
// that not all blocks made. Used by whoever drains, on any host thread, never by two for one run.
#pragma once

#include <atomic>
#include <vector>

#include "memory/layout.h"

namespace genesys::detail {

class grids {
 public:
  // `calls_max`: slots of each record.
  grids(const layout& memory, device& on, u32 calls_max) : memory_(memory), device_(on), calls_max_(calls_max) {}

  // The kernels of `run` have ended: says on stderr which calls some of their blocks made and others did not, and
  // forgets them.
  void look_over(u32 run);
  // No run is attached: launches that found no room are no reason any more to refuse others.
  void make_room();

  u64 missed() const { return missed_.load(std::memory_order_relaxed); }  // calls that not all blocks made

 private:
  void say_what_is_missing(const std::vector<grid_call_record>& slots, const grid_launch_record& of);

  const layout& memory_;
  device& device_;
  const u32 calls_max_;  // a power of two
  std::atomic<bool> full_{false};
  std::atomic<u64> missed_{0};
};

}  // namespace genesys::detail
