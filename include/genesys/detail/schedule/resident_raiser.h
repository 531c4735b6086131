// SPDX-License-Identifier: Apache-2.0
// The resident raiser: one resident warp that stores abort flags for the host (N3 to N5, detail/wire/abort.h). The host
// launches it as a block of 32 threads in a stream of its own.
#pragma once

#include "genesys/detail/wire/abort.h"
#include "genesys/kernel.h"

namespace genesys::detail::aborts {

// All lanes of the warp call it. It returns when the host asks for it, or after `limit_ns`; 0: no limit.
GENESYS_KERNEL void serve_raises(const raiser_context& a, u64 limit_ns) {
  using host_word = global_atomic<u32, thread_scope::system>;
  constexpr u32 all = 0xffffffffu;
  const u32 me = lane();
  const u64 begin = clock_ns();
  if (me == 0) host_word(a.words->here).store(1, std::memory_order_relaxed);
  // Before the loads of `wanted`: a host that still sees no raiser has stored it before. Pairs with
  // resident_raiser::is_here.
  fence<thread_scope::system>();
  sync_warp(all);
  u32 stored = host_word(a.words->acknowledged[me]).load(std::memory_order_relaxed);
  for (;;) {
    const bool leave = host_word(a.words->stop).load(std::memory_order_relaxed) != 0 ||
                       (limit_ns != 0 && clock_ns() - begin > limit_ns);
    const u32 wanted = host_word(a.words->wanted[me]).load(std::memory_order_relaxed);
    const u32 changed = ballot(all, wanted != stored);
    for (u32 index = 0; index < indices; ++index) {
      if ((changed >> index & 1) == 0) continue;
      const u32 epoch = shuffle(all, wanted, index);
      for (u32 r = me; r < a.replicas; r += warp_lanes) {
        global_atomic<u32>(a.flags[r].epoch[index]).store(epoch, std::memory_order_relaxed);  // N3
      }
    }
    if (changed != 0) {
      fence<thread_scope::system>();  // each lane's flags, before
      sync_warp(all);
      // N4; pairs with resident_raiser::settled.
      if (wanted != stored) host_word(a.words->acknowledged[me]).store(wanted, std::memory_order_release);
      stored = wanted;
    }
    if (ballot(all, leave) != 0) break;  // no pause: the loads over the bus take a microsecond
  }
  fence<thread_scope::system>();
  sync_warp(all);
  if (me == 0) host_word(a.words->gone).store(1, std::memory_order_release);  // N5; pairs with resident_raiser::settled
}

}  // namespace genesys::detail::aborts
