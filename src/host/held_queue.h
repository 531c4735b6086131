// SPDX-License-Identifier: Apache-2.0
// A submission queue that a worker holds, the epoch in which it may dequeue from it, and the state of coalescing. Used
// by the worker; the monitor makes them and gives them to workers.
#pragma once

#include <vector>

#include "host/submission_queue.h"
#include "trace/clock.h"

namespace genesys::detail {

struct held_queue {
  submission_queue* from;
  u32 epoch;
  // Coalescing: when the worker first saw the request that it leaves in the queue. (Of a queue that migrated: 1, a time
  // long ago, because the request may be the rest of a bundle.)
  u64 first_seen_ns = 1;
  u32 owed = 0;  // requests of a complete bundle that had not arrived: a later one may arrive before

  // How many requests the worker dequeues together now. 0: the queue is empty, or the worker waits for more requests.
  // (GENESYS, ISCA 2018, V.B.) `coalescing`: {microseconds : 32 | calls : 32}.
  u32 bundle(u64 coalescing) {
    const auto calls = static_cast<u32>(coalescing);
    if (owed != 0) return owed;
    if (!from->pending()) {
      first_seen_ns = 0;
      from->repair();
      return from->epoch() == epoch ? 0 : calls;  // dequeue() reports that the queue is lost
    }
    if (from->has(calls)) {
      owed = calls;
    } else {
      const u64 now = now_ns();
      if (first_seen_ns == 0) first_seen_ns = now;
      if (now - first_seen_ns < (coalescing >> 32) * 1000) return 0;
    }
    first_seen_ns = 0;
    return calls;
  }
};

// Adds queues. Needs no memory if `into` has room for all queues of the runtime, because each is in it once.
void merge(std::vector<held_queue>& into, const std::vector<held_queue>& more);

}  // namespace genesys::detail
