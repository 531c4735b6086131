// SPDX-License-Identifier: Apache-2.0
// Measures the stages of one call in seventeen. Part of a worker, used by it alone. A request carries the low bits of
// the device's clock. The two clocks differ by an unknown shift; the request that seems to have been on its way for the
// shortest time sets it. So a queueing time is measured beyond the fastest request so far.
#pragma once

#include "host/completion_counters.h"

namespace genesys::detail {

class stage_clock {
 public:
  // A worker has dequeued its call number `calls`, which is `r`. (Seventeen is prime, so that the loops of callers do
  // not fall into step with it.)
  stage_times dequeued(const request& r, u64 calls) {
    constexpr u64 calls_to_a_sample = 17;
    if (calls % calls_to_a_sample != 1 || is_dependent(r)) [[likely]]
      return {};  // a dependent carries no time
    return measure(r);
  }

 private:
  [[gnu::noinline]] stage_times measure(const request& r) {
    constexpr u32 mask = (1u << 19) - 1, half = 1u << 18;
    const u64 now = now_ns();
    const u32 shift = (static_cast<u32>(now >> 10) - r.time) & mask;
    if (!is_known_ || ((shift - shift_) & mask) > half) {
      shift_ = shift;
      is_known_ = true;
    }
    return {now, (shift - shift_) & mask};
  }

  u32 shift_ = 0;  // between the device's clock and the host's, in units of 1,024 ns
  bool is_known_ = false;
};

}  // namespace genesys::detail
