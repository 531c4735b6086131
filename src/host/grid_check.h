// SPDX-License-Identifier: Apache-2.0
// Reads the grid records in device memory (genesys/detail/team/grid_records.h) after the kernels ended, and reports
// grid calls that not all blocks made. Called by the thread that drains, never by two threads for one run.
#pragma once

#include <atomic>
#include <vector>

#include "memory/layout.h"

namespace genesys::detail {

class grids {
 public:
  // `calls_max`: slots of each record.
  grids(const layout& memory, device& on, u32 calls_max) : memory_(memory), device_(on), calls_max_(calls_max) {}

  // The kernels of `run` ended: prints the grid calls that only some blocks made to stderr, and clears the records.
  void look_over(u32 run);
  // No run is attached: forgets launches that found no record, so that later launches are not refused.
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
