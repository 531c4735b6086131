// SPDX-License-Identifier: Apache-2.0
// The resident raiser: a resident warp that stores abort flags for the host (N3 to N5, detail/wire/abort.h). The host
// launches it as a block of 32 threads in a stream of its own; or the warp that dispatches the requests of services
// does it, too (detail/service/dispatch.h).
#pragma once

#include "genesys/detail/wire/abort.h"
#include "genesys/kernel.h"

namespace genesys::detail::aborts {

// All lanes of a warp call each function.
class raise_server {
 public:
  raise_server() = default;
  GENESYS_KERNEL explicit raise_server(const raiser_context& a) : a_(a) {}

  GENESYS_KERNEL void begin() {
    if (lane() == 0) host_word(a_.words->here).store(1, std::memory_order_relaxed);
    // Before the loads of `wanted`: a host that still sees no raiser has stored it before. Pairs with
    // resident_raiser::is_here.
    fence<thread_scope::system>();
    sync_warp(all);
    stored_ = host_word(a_.words->acknowledged[lane()]).load(std::memory_order_relaxed);
  }
  // What the host wants, and whether it asks the raiser to leave. Each load takes a trip over the link.
  GENESYS_KERNEL u32 wanted() const { return host_word(a_.words->wanted[lane()]).load(std::memory_order_relaxed); }
  GENESYS_KERNEL bool is_stopped() const { return host_word(a_.words->stop).load(std::memory_order_relaxed) != 0; }

  GENESYS_KERNEL void store(u32 wanted) {
    const u32 changed = ballot(all, wanted != stored_);
    if (changed == 0) return;
    for (u32 index = 0; index < indices; ++index) {
      if ((changed >> index & 1) == 0) continue;
      const u32 epoch = shuffle(all, wanted, index);
      for (u32 r = lane(); r < a_.replicas; r += warp_lanes) {
        global_atomic<u32>(a_.flags[index * a_.replicas + r].epoch).store(epoch, std::memory_order_relaxed);  // N3
      }
    }
    fence<thread_scope::system>();  // each lane's flags, before
    sync_warp(all);
    // N4; pairs with resident_raiser::settled.
    if (wanted != stored_) host_word(a_.words->acknowledged[lane()]).store(wanted, std::memory_order_release);
    stored_ = wanted;
  }

  GENESYS_KERNEL void leave() {
    fence<thread_scope::system>();
    sync_warp(all);
    // N5; pairs with resident_raiser::settled.
    if (lane() == 0) host_word(a_.words->gone).store(1, std::memory_order_release);
  }

 private:
  using host_word = global_atomic<u32, thread_scope::system>;
  static constexpr u32 all = 0xffffffffu;
  raiser_context a_{};
  u32 stored_ = 0;
};

// All lanes of the warp call it. It returns when the host asks for it, or after `limit_ns`; 0: no limit.
GENESYS_KERNEL void serve_raises(const raiser_context& a, u64 limit_ns) {
  const u64 began = clock_ns();
  raise_server serves(a);
  serves.begin();
  for (;;) {
    const bool leave = serves.is_stopped() || (limit_ns != 0 && clock_ns() - began > limit_ns);
    serves.store(serves.wanted());
    if (ballot(0xffffffffu, leave) != 0) break;  // no pause: the loads over the bus take a microsecond
  }
  serves.leave();
}

}  // namespace genesys::detail::aborts
