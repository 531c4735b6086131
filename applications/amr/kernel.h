// SPDX-License-Identifier: Apache-2.0
// The simulation (simulate.h) as one kernel. Its blocks wait for each other at barriers of the grid, so all of them
// must be resident.
#pragma once

#include "simulate.h"

namespace amr {

constexpr u64 start_ns_max = 5'000'000'000;  // from the first block that starts to the last one

// All threads of all blocks. False: not all blocks have started, since not all are resident; then all blocks end.
GENESYS_KERNEL bool start_grid(state& all) {
  constexpr u32 none = 0, first = 1, never = ~0U;
  const genesys::atomic<u32> round(all.round), arrived(all.arrived);
  genesys::sync_block();
  if (genesys::thread_rank() == 0) {
    const auto decide = [&](u32 value) {
      u32 before = none;
      round.compare_exchange(before, value, order::acq_rel);  // pairs with the loads below
    };
    const u64 begin = genesys::clock_ns();
    if (arrived.fetch_add(1, order::acq_rel) + 1 == genesys::blocks_in_grid()) {  // pairs with those of other blocks
      arrived.store(0, order::relaxed);
      decide(first);
    }
    while (round.load(order::acquire) == none) {
      genesys::pause(500);
      if (genesys::clock_ns() - begin > start_ns_max) decide(never);
    }
  }
  genesys::sync_block();
  return round.load(order::acquire) == first;  // the next round begins after this thread
}

// All threads of all blocks.
GENESYS_KERNEL void sync_grid(state& all) {
  genesys::sync_block();
  if (genesys::thread_rank() == 0) {
    const genesys::atomic<u32> round(all.round), arrived(all.arrived);
    const u32 now = round.load(order::relaxed);
    if (arrived.fetch_add(1, order::acq_rel) + 1 == genesys::blocks_in_grid()) {  // pairs with those of other blocks
      arrived.store(0, order::relaxed);
      round.store(now + 1, order::release);  // pairs with the load below
    } else {
      while (round.load(order::acquire) == now) genesys::pause(500);
    }
  }
  genesys::sync_block();
}

struct kernel_grid {
  const genesys::os& os;
  state& all;

  GENESYS_KERNEL u32 block() const { return genesys::block_rank(); }
  GENESYS_KERNEL u32 blocks() const { return genesys::blocks_in_grid(); }
  GENESYS_KERNEL u32 thread() const { return genesys::thread_rank(); }
  GENESYS_KERNEL u32 threads() const { return genesys::threads_in_block(); }
  GENESYS_KERNEL const genesys::os& calls() const { return os; }
  GENESYS_KERNEL u64 now_ns() const { return genesys::clock_ns(); }
  GENESYS_KERNEL bool start() const { return start_grid(all); }
  GENESYS_KERNEL void sync() const { sync_grid(all); }
};

// As many blocks as are resident at a time, any number of threads in each.
struct simulate {
  GENESYS_KERNEL void operator()(genesys::os os, task t) const { simulate_all(kernel_grid{os, *t.all}, t); }
};

}  // namespace amr
