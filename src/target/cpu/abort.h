// SPDX-License-Identifier: Apache-2.0
// Abort of launches on the CPU device (wire/abort.h). The device itself polls, so kernels need no polls: a carrier
// calls these functions when it takes a block (B1), and before each turn of a thread (B3). All threads of a block leave
// together, so no vote is needed (A3).
#pragma once

#include <atomic>

#include "genesys/detail/wire/abort.h"

namespace genesys::detail::cpu {

// Relaxed: the decision needs no data of whoever raises the flag.
inline bool is_raised(const aborts::launch_context& a) {
  return std::atomic_ref<u32>(*a.flags).load(std::memory_order_relaxed) == a.epoch;
}

inline bool must_leave_at_entry(const aborts::launch_context& a) {
  // Relaxed: the end of the earlier launch comes before the start of this one (A5).
  return is_raised(a) || (a.ahead != 0 && std::atomic_ref<u32>(*a.latch).load(std::memory_order_relaxed) == a.chain);
}

// B5, for `threads` threads of one block. The end of the launch orders it for the host.
inline void count_leaving(const aborts::launch_context& a, u32 block_rank, u32 threads, bool at_entry) {
  aborts::leave_counts& mine = a.counts[block_rank % aborts::count_replicas];
  std::atomic_ref<u32> latch(*a.latch);
  if (latch.load(std::memory_order_relaxed) != a.chain) latch.store(a.chain, std::memory_order_relaxed);
  std::atomic_ref<u64>(at_entry ? mine.left_at_entry : mine.left_later).fetch_add(threads, std::memory_order_relaxed);
}

}  // namespace genesys::detail::cpu
