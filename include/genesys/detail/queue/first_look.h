// SPDX-License-Identifier: Apache-2.0
// When a lane looks for its completion the first time. A look crosses the link and back, and a lane has one in flight
// at a time (docs/notes/001-loads-of-host-memory.md). A look that reaches the host just before the completion is
// written costs the time of a whole look. And if thousands of lanes wait, their looks fill the link. So a lane delays
// its first look for about as long as such calls took lately. What they took is kept in device memory, for each
// completion group (so for each resident warp) and for 16 kinds of calls. On the CPU device nothing is delayed. Called
// by lanes that submit together.
#pragma once

#include "genesys/detail/lanes/lanes.h"

namespace genesys::detail::queue {

class first_look {
 public:
  GENESYS_KERNEL first_look() {}

  // The leader, beside its other loads. `number`: of the call.
  GENESYS_KERNEL first_look([[maybe_unused]] const queue_context& a, [[maybe_unused]] u32 group,
                            [[maybe_unused]] u32 number) {
#if GENESYS_ON_CUDA
    if (number > call_number_max) return;  // the host's own calls, which wait for descriptors
    learnt_ = a.first_looks + u64{group} * first_look_kinds + (number * 203 >> 5) % first_look_kinds;
    state_ = global_atomic<u32>(*learnt_).load(order::relaxed);
#endif
  }

  // Passes what the leader knows to the other lanes.
  GENESYS_KERNEL void share([[maybe_unused]] u32 lanes, [[maybe_unused]] u32 leader) {
#if GENESYS_ON_CUDA
    state_ = static_cast<u32>(shuffle(lanes, state_, leader));
#endif
  }

  // The lanes have published their requests. Returns when it is time to look.
  GENESYS_KERNEL void wait() {
#if GENESYS_ON_CUDA
    published_ = cycles();
    const u32 delay = delay_min + delay_of(state_);
    for (u32 passed = 0; passed < delay; passed = cycles() - published_) {
      if (delay - passed > spin_max) pause((delay - passed) / 4);
    }
#endif
  }

  // The leader, with its completion: `in_vain` looks came too early.
  GENESYS_KERNEL void learn([[maybe_unused]] int in_vain) const {
#if GENESYS_ON_CUDA
    if (learnt_ == nullptr) return;
    const u32 delay = delay_of(state_);
    u32 next = delay, slow = 0;
    if (in_vain == 0) {
      // Perhaps the completion was there long before: a little earlier, or much earlier if it is far.
      next -= delay < spin_max ? (delay + 127) / 128 : delay / 2;
    } else if (in_vain == 1) {
      next += delay < spin_max ? 128 : delay / 16;
    } else {
      // One slow call tells nothing about the next one, but several in a row do.
      slow = slow_of(state_) < slow_calls ? slow_of(state_) + 1 : slow_calls;
      const u32 took = cycles() - published_, most = took / 4 * 3;
      if (slow == slow_calls && most > delay) next += most - delay < delay / 4 + 256 ? most - delay : delay / 4 + 256;
    }
    if (next > delay_max) next = delay_max;
    const u32 state = next << slow_bits | slow;
    if (state != state_) global_atomic<u32>(*learnt_).store(state, order::relaxed);
#endif
  }

 private:
  static constexpr u32 delay_min = 400;      // cycles: a request is not answered sooner
  static constexpr u32 delay_max = 1 << 20;  // cycles
  static constexpr u32 spin_max = 4000;      // cycles: a shorter wait does not pause
  static constexpr u32 slow_bits = 3, slow_calls = 4;

  // What is learnt: {delay in cycles, beyond delay_min : 29 | slow calls in a row : 3}.
  GENESYS_KERNEL static u32 slow_of(u32 state) { return state & ((1u << slow_bits) - 1); }
  GENESYS_KERNEL static u32 delay_of(u32 state) {
    const u32 delay = state >> slow_bits;
    return delay < delay_max ? delay : delay_max;
  }

  [[maybe_unused]] u32* learnt_ = nullptr;
  [[maybe_unused]] u32 state_ = 0, published_ = 0;
};

}  // namespace genesys::detail::queue
