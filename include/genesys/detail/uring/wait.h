// SPDX-License-Identifier: Apache-2.0
// R6: waits for the CQE of a call that a lane has submitted to a shared ring. While it waits, the lane publishes SQEs
// and delivers CQEs for all lanes that use the ring. Called by lanes that run together.
#pragma once

#include "genesys/detail/queue/wait.h"
#include "genesys/detail/uring/write_sqes.h"

namespace genesys::detail::uring {

// Whether the ring will deliver no further CQE although the runtime has not ended, because a kernel has overwritten the
// ring. Either the host has found this out (shared_rings::look), or Linux has completed all SQEs that it has read, and
// all CQEs are delivered. A lane calls this after it has looked at its result and waited; it looks again if this is
// true.
GENESYS_KERNEL bool is_lost(shared_ring_table& table, const ring_ref& p, bool is_published) {
  if (global_atomic<u32, thread_scope::system>(table.closed).load(order::relaxed) == rings_lost) return true;
  if (!is_published) return false;
  const shared_ring& r = p.ring;
  const auto load = [](u32* word) { return global_atomic<u32, thread_scope::system>(*word).load(order::acquire); };
  const u32 completed = load(r.completed), head = load(r.head), tail = load(r.tail);
  const u64 delivered = global_atomic<u64>(p.state.delivered).load(order::acquire);
  return head == tail && head == completed && (delivered & 1) == 0 && static_cast<u32>(delivered >> 1) == completed;
}

// Reaps the lane's ring. For tickets that lanes of one warp have in different rings, it reaps one lane's ring after
// another's.
template <bool of_ticket>
GENESYS_KERNEL u32 reap_for(shared_ring_table& table, const ring_ref& p, shared_ring_shape shape, u32 lanes, u32 looks,
                            ring_result& mine) {
  constexpr int looks_of_reaper = GENESYS_ON_CUDA ? 4 : 1;
  if (of_ticket && GENESYS_ON_CUDA) {
    const u32 from_there = lanes & ~u32{0} << (looks & 31);
    const u32 of_whom = shuffle(lanes, p.at, lowest_bit(from_there != 0 ? from_there : lanes));
    return reap<looks_of_reaper>(ring_ref(table, shape, of_whom), shape, lanes, mine, false);
  }
  return reap<looks_of_reaper>(p, shape, lanes, mine, false);
}

// Returns the result, or -ECANCELED: the runtime has ended, or -EIO: the ring is lost. `p`: the ring of the lane's
// call; the same in all lanes, but for tickets. `is_published`: Linux can see the SQEs of these lanes; otherwise `last`
// is the highest of their sequence numbers.
template <bool of_ticket>
GENESYS_KERNEL i64 wait_for_cqe(const queue_context& a, shared_ring_table& table, const ring_ref& p,
                                shared_ring_shape shape, u32 lanes, ring_result& mine, bool is_published, u64 last) {
  constexpr u32 looks_at_once = 8, lost_looks = 16;  // (the first not on the CPU device)
  constexpr u64 lost_after_ns = 20'000'000;
  const global_atomic<u64> results(p.results[mine.completion_slot]), published(p.state.published);
  backoff waiting;
  queue::reconvergence together(lanes);
  bool lost = false;
  for (u32 looks = 0;; ++looks) {
    if (!mine.done) {
      const u64 seen = results.load(order::acquire);  // pairs with R7
      mine.done = of_ticket ? seen >> 32 != 0 : seen >> 32 == mine.tag;
      if (mine.done) mine.value = static_cast<std::int32_t>(seen);
    }
    if (together.may_leave(mine.done, waiting)) return mine.value;
    if (!is_published) {
      publish_sqes(p, shape, together.lanes);
      is_published = static_cast<i64>(published.load(order::relaxed) - last) > 0;
      is_published = vote(together.lanes, is_published) != 0;
    }
    const u32 took = reap_for<of_ticket>(table, p, shape, together.lanes, looks, mine);
    if (took != 0 || (GENESYS_ON_CUDA && looks < looks_at_once) || vote(together.lanes, mine.done) != 0) {
      waiting.look();
      continue;
    }
    bool ended = !waiting.wait(a);
    ended = vote(together.lanes, ended) != 0;  // all lanes leave, or none
    if (ended) return mine.done ? mine.value : -ECANCELED;
    if (waiting.waited_ns() < lost_after_ns || looks % lost_looks != 0) continue;
    const bool before = lost;
    lost = vote(together.lanes, !mine.done && is_lost(table, p, is_published)) != 0;
    if (lost && before) return mine.done ? mine.value : -EIO;  // the looks in between have found no result
  }
}

// Waits for a ticket's call. `seen`: the word of its completion slot, which the caller has loaded. Does not release the
// completion slot.
GENESYS_KERNEL_OUTLINE inline i64 wait_for_ticket(queue_context a, shared_ring_table* table, shared_ring_shape shape,
                                                  u32 completion_slot, u64 seen) {
  if (seen >> 32 != 0) return static_cast<std::int32_t>(seen);
  ring_result mine{completion_slot, 0, false, 0};
  const ring_ref p(*table, shape, static_cast<u32>(seen));
  return wait_for_cqe<true>(a, *table, p, shape, lanes_together(a), mine, true, 0);
}

}  // namespace genesys::detail::uring
