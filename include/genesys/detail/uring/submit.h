// SPDX-License-Identifier: Apache-2.0
// Calls that a kernel submits to Linux itself (executor `direct`, docs/direct.md). Lanes write SQEs into an io_uring(7)
// ring and store its tail; a kernel thread of Linux makes the calls (IORING_SETUP_SQPOLL); lanes deliver the CQEs to
// each other. No thread of the process takes part. Called by lanes that run together, each with a call of its own.
// (R1 to R8: the labels of models/direct.pml.)
//
//   R1 claim a completion slot (C1), and clear its result.
//   R2 find room: for SQEs that Linux has not read, and for their CQEs. A lane that waits for room reaps (R7).
//   R3 reserve sequence numbers, if there still is room: reserved -> reserved + lanes.   R4 write the SQEs; fence.
//   R5 when all SQEs before are published: store the ring's tail, and then `published`. Otherwise mark the SQEs as
//      written: whichever lane finds the lock free publishes the next written ones, in order.
//   R6 look at the result, publish (R5), reap (R7), and look again.
//   R7 one group of lanes at a time: take the next CQEs that Linux has written, and store each as the result of the
//      completion slot that it names. After a quarter of the ring, or when a lane waits for room: tell Linux that the
//      CQEs were taken, and then all lanes that there is room.
//   R8 release the completion slot. Its phase stays: no worker completed it. While a recording is on, the report of the
//      call uses the slot, and releases it as any call does (report_call.h).
//
// Each SQE has one CQE, and there is room for it before the SQE is written. So no CQE is lost, and Linux never uses its
// overflow list.
//
// A ticket's completion slot is claimed as for any ticket. Until its result is there, its word in `results` names the
// ring, or not_on_ring, so that any lane can wait for it. A posted call has no completion slot: its CQE is counted.
#pragma once

#include "genesys/detail/uring/descriptor_kinds.h"
#include "genesys/detail/uring/report_call.h"
#include "genesys/detail/uring/wait.h"
#include "genesys/detail/uring/write_sqes.h"

namespace genesys::detail::uring {

constexpr i64 not_submitted = static_cast<i64>(u64{1} << 63);  // the call has to go through a queue

// The lanes that submit together.
struct ring_lanes {
  u32 lanes, leader, count;
  bool waits;  // one of their calls may wait for an event
  u64 most;    // how many calls may be in flight: calls that may wait leave half of the room to others

  GENESYS_KERNEL ring_lanes(const queue_context& a, shared_ring_shape shape, const sqe_fields& e)
      : lanes(lanes_together(a)),
        leader(lowest_bit(lanes)),
        count(count_bits(lanes)),
        waits(vote(lanes, e.waits) != 0),
        most(shape.cq_entries() >> (waits ? 1 : 0)) {}
  // (There is room for at least twice as many CQEs.)
  GENESYS_KERNEL bool fits(shared_ring_shape shape) const { return count <= shape.sq_entries(); }
};

// What a lane knows of its call after submit().
struct submission {
  ring_reservation how;
  u32 lanes;          // that submitted together
  ring_result mine;   // the call of this lane, and its result
  bool is_published;  // Linux can see the SQE
  u64 last;           // the highest sequence number of these lanes
};

// The claim of completion slots for blocking calls (R1). The leader's fetch_or goes out together with its other loads.
class slot_claim {
 public:
  GENESYS_KERNEL void begin(const queue_context& a, u32 lanes) {
    before_ =
        global_atomic<u64>(a.claims[queue::home_group(a)]).fetch_or(lanes, queue::handoff_acquire);  // pairs with C6
  }
  GENESYS_KERNEL void undo(const queue_context& a, u32 lanes) const {
    global_atomic<u64>(a.claims[queue::home_group(a)])
        .fetch_and(~u64{lanes & ~static_cast<u32>(before_)}, queue::handoff_release);
  }
  // False: the runtime has ended.
  GENESYS_KERNEL bool finish(const queue_context& a, u32 lanes, u32 leader, queue::claimed_slot& mine) const {
    return queue::finish_claim(a, lanes, leader, queue::home_group(a), from_leader(lanes, before_), mine);
  }

 private:
  u64 before_ = 0;
};

// R1 to R3 by the leader. If one of the calls may wait for an event, the lanes hold no completion slots while they wait
// for room: other lanes may need the slots. Returns `published` in `seen_published`.
template <bool claims>
GENESYS_KERNEL ring_reservation reserve_as_leader(const queue_context& a, shared_ring_table& table, const ring_ref& p,
                                                  shared_ring_shape shape, const ring_lanes& group, ring_capacity& seen,
                                                  slot_claim& claim, u64& seen_published) {
  if constexpr (claims) claim.begin(a, group.lanes);
  const bool taken = seen.try_to_take(p.state, shape, group.count, group.most);
  seen_published = global_atomic<u64>(p.state.published).load(queue::head_order);  // pairs with R5
  ring_reservation how = ring_reservation::reserved;
  if (!taken && !seen.take(p.state, shape, group.count, group.most)) {
    if (claims && group.waits) claim.undo(a, group.lanes);
    how = reserve_sqes(a, table, p, shape, group.count, group.most, seen);
    if (claims && group.waits && how == ring_reservation::reserved) claim.begin(a, group.lanes);
    if (claims && !group.waits && how == ring_reservation::full) claim.undo(a, group.lanes);
  }
  return how;
}

// R1 to R5. `claims`: a blocking call, which gets a completion slot here. Otherwise `completion_slot` is that of the
// ticket, or slot_of_posted().
template <bool claims>
GENESYS_KERNEL submission submit(const queue_context& a, shared_ring_table& table, const ring_ref& p,
                                 shared_ring_shape shape, u32 generation, const sqe_fields& e, u32 completion_slot) {
  submission s{ring_reservation::full, 0, {completion_slot, 0, false, 0}, false, 0};
  ring_capacity seen(p.state);
  if (!can_submit(a, table, generation, e)) return s;
  const ring_lanes group(a, shape, e);
  if (!group.fits(shape)) return s;
  s.lanes = group.lanes;
  u32 posted = 0;
  if constexpr (!claims) {
    const bool has_slot = completion_slot < p.completion_slots;
    if (has_slot)
      global_atomic<u64>(p.results[completion_slot]).store(p.at, order::relaxed);  // before the SQE, by the fence
    posted = count_bits(vote(group.lanes, !has_slot));
  }
  slot_claim claim;
  u64 seen_published = 0;
  s.how = ring_reservation::reserved;
  if (lane() == group.leader) {
    s.how = reserve_as_leader<claims>(a, table, p, shape, group, seen, claim, seen_published);
    if (!claims && s.how == ring_reservation::reserved && posted != 0)
      global_atomic<u64>(p.posted[a.run].begun).fetch_add(posted, order::relaxed);
  }
  s.how = static_cast<ring_reservation>(from_leader(group.lanes, static_cast<u32>(s.how)));
  if (s.how != ring_reservation::reserved) return s;
  if constexpr (claims) {
    queue::claimed_slot claimed{};
    if (!claim.finish(a, group.lanes, group.leader, claimed)) {
      s.how = ring_reservation::ended;
      return s;
    }
    s.mine.completion_slot = claimed.group * slots_in_group + lane();
    global_atomic<u64>(p.results[s.mine.completion_slot]).store(0, order::relaxed);  // before the SQE, by the fence
  }
  const u64 first = from_leader(group.lanes, seen.reserved);
  s.last = first + group.count - 1;
  s.is_published = write_sqes(p, shape, group.lanes, first, from_leader(group.lanes, seen_published), e, s.mine);
  return s;
}

// A blocking call: Linux's result, or not_submitted. `r`: the call that `e` makes.
GENESYS_KERNEL_OUTLINE inline i64 submit_and_wait(queue_context a, shared_ring_table* table, shared_ring_shape shape,
                                                  u32 generation, sqe_fields e, const request& r) {
  const bool recorded = is_recorded(*table);
  const u64 begun_ns = clock_ns();
  const ring_ref p(*table, shape, queue_hint() % shape.rings);
  submission s = submit<true>(a, *table, p, shape, generation, e, no_completion_slot);
  if (s.how == ring_reservation::ended) return -ECANCELED;  // the runtime has ended: slots stay claimed
  if (s.how == ring_reservation::full) return not_submitted;
  if (!s.is_published) publish_sqes(p, shape, s.lanes);
  const i64 value = wait_for_cqe<false>(a, *table, p, shape, s.lanes, s.mine, s.is_published, s.last);
  if (recorded && s.mine.done) {
    report_blocking(a, r, s.mine.completion_slot, value, begun_ns);
  } else if (value != -ECANCELED || s.mine.done) {
    queue::release_unused_slot(a, s.mine.completion_slot);  // R8
  }
  return value;
}

// A ticket's call, or a posted one; `completion_slot` as for submit(), `r` as for submit_and_wait(). False: it has to
// go through a queue. Returns only when Linux can see the SQE, because these lanes may not come back to publish it.
GENESYS_KERNEL_OUTLINE inline bool submit_without_waiting(queue_context a, shared_ring_table* table,
                                                          shared_ring_shape shape, u32 generation, sqe_fields e,
                                                          u32 completion_slot, const request& r) {
  const bool recorded = is_recorded(*table);
  const u64 begun_ns = clock_ns();
  const ring_ref p(*table, shape, queue_hint() % shape.rings);
  submission s = submit<false>(a, *table, p, shape, generation, e, completion_slot);
  if (s.how != ring_reservation::reserved) return false;
  backoff waiting;
  while (!s.is_published) {
    publish_sqes(p, shape, s.lanes);
    s.is_published = static_cast<i64>(global_atomic<u64>(p.state.published).load(order::relaxed) - s.last) > 0;
    if (vote(s.lanes, s.is_published) != 0) break;
    const bool lost = global_atomic<u32, thread_scope::system>(table->closed).load(order::relaxed) == rings_lost;
    if (vote(s.lanes, lost || !waiting.wait(a)) != 0) break;
  }
  if (recorded) report_submitted(a, table, r, completion_slot, s.mine.tag, begun_ns);
  return true;
}

}  // namespace genesys::detail::uring
