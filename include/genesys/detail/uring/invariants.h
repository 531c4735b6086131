// SPDX-License-Identifier: Apache-2.0
// Conditions for assertions of this folder that take more than one comparison. Each holds as long as its invariant does
// (docs/protocol.md). Any lane may call them; only assertions do.
#pragma once

#include "genesys/detail/uring/ring.h"

namespace genesys::detail::uring {

// A posted call of the run is in flight.
GENESYS_KERNEL bool is_under_way(posted_counters& of) {
  const u64 finished = global_atomic<u64>(of.finished).load(order::relaxed);
  return finished < global_atomic<u64>(of.begun).load(order::relaxed);
}

// reaped <= delivered, completed <= reserved.
GENESYS_KERNEL bool is_in_order(const ring_ref& p, u64 delivered, u64 completed) {
  return global_atomic<u64>(p.state.reaped).load(order::relaxed) <= delivered &&
         completed <= global_atomic<u64>(p.state.reserved).load(order::relaxed);
}

// The call of this completion slot has no result yet.
GENESYS_KERNEL bool has_no_result(const ring_ref& p, u32 completion_slot) {
  return global_atomic<u64>(p.results[completion_slot]).load(order::relaxed) >> 32 == 0;
}

// Linux's tail is `begin`, and all SQEs before `end` are reserved.
GENESYS_KERNEL bool is_next(const ring_ref& p, u64 begin, u64 end) {
  return global_atomic<u64>(p.state.published).load(order::relaxed) == begin &&
         end <= global_atomic<u64>(p.state.reserved).load(order::relaxed);
}

// There is space in the ring for the SQE and for its CQE.
GENESYS_KERNEL bool fits_in_ring(const ring_ref& p, shared_ring_shape shape, u64 sequence) {
  const ring_capacity now(p.state);
  return sequence < now.reserved &&
         static_cast<i64>(sequence - now.known_head) < static_cast<i64>(shape.sq_entries()) &&
         static_cast<i64>(sequence - now.reaped) < static_cast<i64>(shape.cq_entries());
}

}  // namespace genesys::detail::uring
