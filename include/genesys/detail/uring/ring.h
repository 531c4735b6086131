// SPDX-License-Identifier: Apache-2.0
// A lane's view of one shared ring: the addresses of its parts, how much room it had when the lane last looked, and the
// lane's own call in it. Used by the other headers of this folder, in any lane.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/queue/completion_slots.h"
#include "genesys/detail/queue/sequence.h"
#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/shared_rings.h"

namespace genesys::detail::uring {

// The addresses of a ring. A lane loads them once, early, together with the first loads of the call.
struct ring_ref {
  ring_state& state;
  const shared_ring ring;
  u64 *const results, *const filled;  // as in shared_ring_table; `filled` of this ring alone
  posted_counters* const posted;
  const u32 at, completion_slots;

  GENESYS_KERNEL ring_ref(shared_ring_table& table, shared_ring_shape shape, u32 which)
      : state(table.state[which]),
        ring(table.ring[which]),
        results(table.results),
        filled(table.filled + (u64{which} << shape.sq_entries_log2)),
        posted(table.posted),
        at(which),
        completion_slots(table.completion_slots) {}
};

// The call of one lane, and its result once its CQE is there.
struct ring_result {
  u32 completion_slot, tag;
  bool done;
  std::int32_t value;
};
constexpr u32 no_completion_slot = ~u32{0};

// How many SQEs or CQEs one lane handles while it holds a lock (docs/notes/008-publishing-to-shared-rings.md).
constexpr u32 at_once = 8;

// The room of a ring, as a lane saw it. Other lanes may have taken some of it since.
struct ring_capacity {
  u64 reserved, known_head, reaped;

  GENESYS_KERNEL explicit ring_capacity(ring_state& g)
      : reserved(global_atomic<u64>(g.reserved).load(order::relaxed)),
        known_head(global_atomic<u64>(g.known_head).load(queue::head_order)),  // pairs with refresh_known_sq_head
        reaped(global_atomic<u64>(g.reaped).load(queue::head_order)) {}        // pairs with R7
  GENESYS_KERNEL bool for_sqes(shared_ring_shape shape, u32 count) const {
    return static_cast<i64>(reserved + count - known_head) <= static_cast<i64>(shape.sq_entries());
  }
  // `most`: the number of calls that may be in flight.
  GENESYS_KERNEL bool for_cqes(u64 most, u32 count) const {
    return static_cast<i64>(reserved + count - reaped) <= static_cast<i64>(most);
  }
  // R3, one attempt. It has no branch, so that the loads before it stay in flight; without room the exchange fails.
  GENESYS_KERNEL bool try_to_take(ring_state& g, shared_ring_shape shape, u32 count, u64 most) {
    const u32 has_space = u32{for_sqes(shape, count)} & u32{for_cqes(most, count)};
    u64 found = has_space != 0 ? reserved : queue::no_sequence;
    const bool took = global_atomic<u64>(g.reserved).compare_exchange(found, reserved + count, order::relaxed);
    reserved = found;
    return took;
  }
  // R3, until it succeeds or there is no room.
  GENESYS_KERNEL bool take(ring_state& g, shared_ring_shape shape, u32 count, u64 most) {
    while (for_sqes(shape, count) && for_cqes(most, count)) {
      if (try_to_take(g, shape, count, most)) return true;
    }
    return false;
  }
};

}  // namespace genesys::detail::uring
