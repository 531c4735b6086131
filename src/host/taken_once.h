// SPDX-License-Identifier: Apache-2.0
// Asserts that no request is dequeued twice (protocol.h, I3). Part of a submission queue, used by the worker that
// dequeued a request. Empty where assertions are off.
#pragma once

#include <atomic>
#include <vector>

#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class taken_once {
 public:
#if GENESYS_ASSERTIONS
  void lay_out(u32 slots_log2) { last_ = std::vector<std::atomic<u64>>(std::size_t{1} << slots_log2); }

  // The worker dequeued the request with this number. A slow worker may find the request of the slot's next round.
  void dequeue(u64 number) {
    std::atomic<u64>& last = last_[number & (last_.size() - 1)];
    u64 seen = last.load(std::memory_order_relaxed);
    while (seen < number + 1 && !last.compare_exchange_weak(seen, number + 1, std::memory_order_relaxed)) {
    }
    GENESYS_ASSERT(seen != number + 1, "I3: a request is dequeued by one worker");
  }

 private:
  std::vector<std::atomic<u64>> last_;  // of each slot: the number of the last dequeued request, plus 1
#else
  void lay_out(u32) {}
  void dequeue(u64) {}
#endif
};

}  // namespace genesys::detail
