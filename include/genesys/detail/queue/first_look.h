// SPDX-License-Identifier: Apache-2.0
// When a lane looks for its completion the first time. A look crosses the link and back, and a lane has one in flight
// at a time (docs/notes/001-loads-of-host-memory.md). A look that reaches the host just before the completion is
// written costs the time of a whole look. So a lane delays its first look until such calls had their completion lately.
// The delay is kept in device memory, for each completion group (so for each resident warp) and for 16 kinds of calls.
// Calls that take much longer teach nothing (docs/notes/028-the-first-look.md). On the CPU device
// nothing is delayed. Called by lanes that submit together.
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
    delay_ = global_atomic<u32>(*learnt_).load(order::relaxed);
#endif
  }

  // Passes what the leader knows to the other lanes.
  GENESYS_KERNEL void share([[maybe_unused]] u32 lanes, [[maybe_unused]] u32 leader) {
#if GENESYS_ON_CUDA
    delay_ = static_cast<u32>(shuffle(lanes, delay_, leader));
#endif
  }

  // The lanes have published their requests. Returns when it is time to look.
  GENESYS_KERNEL void wait() {
#if GENESYS_ON_CUDA
    const u32 published = cycles(), delay = delay_min + (delay_ < delay_max ? delay_ : delay_max);
    while (cycles() - published < delay) {
    }
#endif
  }

  // The leader, with its completion: `in_vain` looks came too early.
  GENESYS_KERNEL void learn([[maybe_unused]] int in_vain) const {
#if GENESYS_ON_CUDA
    if (learnt_ == nullptr) return;
    if (in_vain == 0) {  // perhaps the completion was there before
      if (delay_ != 0) global_atomic<u32>(*learnt_).store(delay_ - (delay_ + 127) / 128, order::relaxed);
    } else if (in_vain == 1 && delay_ < delay_max) {
      global_atomic<u32>(*learnt_).store(delay_ + 128, order::relaxed);
    }
#endif
  }

 private:
  static constexpr u32 delay_min = 400;   // cycles: a request is not answered sooner
  static constexpr u32 delay_max = 4000;  // cycles, beyond delay_min

  [[maybe_unused]] u32* learnt_ = nullptr;
  [[maybe_unused]] u32 delay_ = 0;  // cycles, beyond delay_min
};

}  // namespace genesys::detail::queue
