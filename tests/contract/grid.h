// SPDX-License-Identifier: Apache-2.0
// What the tests of grid calls share: a thread's number in its grid, a counter on which blocks meet, a tally of values.
#pragma once

#include <map>

#include "contract.h"

namespace contract {

using genesys::grid;

GENESYS_KERNEL u32 place_in_grid() {
  return genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
}

GENESYS_KERNEL void arrive(u32* counter) { genesys::atomic<u32>(*counter).fetch_add(1); }
GENESYS_KERNEL void wait_until(u32* counter, u32 wanted) {
  while (genesys::atomic<u32>(*counter).load() < wanted) genesys::pause(500);
}

// How often each value occurs.
inline std::map<long, u64> tally(const on_device<long>& values) {
  std::map<long, u64> counts;
  for (const long value : values.take()) ++counts[value];
  return counts;
}

}  // namespace contract
