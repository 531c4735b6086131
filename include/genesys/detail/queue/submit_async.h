// SPDX-License-Identifier: Apache-2.0
// The calling side of the protocol for tickets and posted calls (wait_mode::ticket and posted), which do not wait at
// once. Called by lanes that run together, as submit.h.
#pragma once

#include "genesys/detail/queue/submit.h"

namespace genesys::detail::queue {

// The completion slot of a ticket.
struct ticket_slot {
  u32 completion_slot, phase;
  bool claimed;  // false: the warp has as many tickets as it may have
};

// An attempt to claim a slot. `before` tells whether it succeeded; the GPU has it a third of a microsecond later.
struct ticket_claim {
  u32 group, bit;
  u64 before;
};

// The queue of a ticket's completion slot. All requests with this slot, and all dependents of their calls, go through
// this queue. So the request of the slot's next owner comes after all dependents of the call before (docs/protocol.md).
// Warps of a multiprocessor share a queue, as in queue_hint.
GENESYS_KERNEL u32 queue_of_slot(const queue_context& a, u32 completion_slot) {
  GENESYS_ASSERT(completion_slot / slots_in_group >= a.groups,
                 "I4: tickets have groups of completion slots of their own");
  const u32 warp =
      (completion_slot / slots_in_group - a.groups) >> (a.ticket_groups - 1);  // one group for each warp, or two
  return (GENESYS_ON_CUDA ? spread_multiprocessor(warp / 64) : warp) % a.queues;
}

// C2 to C4 for a stamped request. `only_here`: through this queue, otherwise through any. Lanes that want different
// queues go one after another.
template <bool dependent = false>
GENESYS_KERNEL bool submit_through(const queue_context& a, request& r, u32 queue, bool only_here) {
  const u32 wanted = queue << 1 | (only_here ? 1u : 0u);
  GENESYS_ASSERT(r.mode != wait_mode::ticket || phase_shown(a, r.completion_slot) != r.phase,
                 "I4: a ticket's slot has no completion before its request is published");
  for (u32 left = lanes_together(a);;) {
    const u32 leader = lowest_bit(left);
    const bool mine = static_cast<u32>(shuffle(left, wanted, leader)) == wanted;
    const u32 lanes = ballot(left, mine) | (a.zero & lane());  // as in lanes_together
    if (!mine) {
      left &= ~lanes;
      continue;
    }
    queue_position first{0, queue};
    if (lane() == leader) {
      const producer_state& g = a.producers[queue];
      const u64 tail = global_atomic<u64>(const_cast<u64&>(g.tail)).load(order::relaxed);
      const global_atomic<u64> known_head(const_cast<u64&>(g.known_head));
      const u64 head = known_head.load(head_order);  // pairs with refresh_known_head
      const u32 count = count_bits(lanes);
      first = only_here ? reserve_positions(a, count, queue, tail, head, only_here)
                        : reserve_by_adding(a, count, queue, tail, head);
    }
    first.number = shuffle(lanes, first.number, leader);
    first.queue = shuffle(lanes, first.queue, leader);
    if (first.queue == no_queue) return false;
    publish<false, dependent>(a, r, {first.number + count_bits(lanes & ((1u << lane()) - 1)), first.queue});
    return true;
  }
}

// C2 to C4: publishes the lane's request, which is posted or has the completion slot and the phase of a ticket. False:
// the runtime has ended.
GENESYS_KERNEL_OUTLINE inline bool submit_request(queue_context a, request& r) {
  stamp(a, r);
  const bool has_slot = r.mode == wait_mode::ticket;
  return submit_through(a, r, has_slot ? queue_of_slot(a, r.completion_slot) : queue_hint() % a.queues, has_slot);
}

// C1 for a ticket, in two steps: claims a completion slot that the lane keeps after this call. The first step tries a
// slot that is probably free; lanes that come together try different ones.
GENESYS_KERNEL ticket_claim try_claim_ticket_slot(const queue_context& a) {
  const u32 group = a.groups + warp_hint() % a.groups * a.ticket_groups;
  const u32 bit = 1u << (lane() + any_number()) % slots_in_group;
  return {group, bit, global_atomic<u64>(a.claims[group]).fetch_or(bit, order::acquire)};  // pairs with release_slot
}

GENESYS_KERNEL ticket_slot slot_of_claim(const ticket_claim& t) {
  const u32 at = lowest_bit(t.bit);
  return {t.group * slots_in_group + at, ~static_cast<u32>(t.before >> (32 + at)) & 1, true};
}

GENESYS_KERNEL_OUTLINE inline ticket_slot claim_another_ticket_slot(queue_context a, ticket_claim t) {
  for (u32 i = 0; i < a.ticket_groups; ++i, ++t.group) {
    const global_atomic<u64> word(a.claims[t.group]);
    u32 taken = static_cast<u32>(i == 0 ? t.before : word.load(order::relaxed));
    while (~taken != 0) {
      t.bit = ~taken & (taken + 1);                     // the lowest clear bit
      t.before = word.fetch_or(t.bit, order::acquire);  // pairs with release_slot
      taken = static_cast<u32>(t.before);
      if ((taken & t.bit) == 0) return slot_of_claim(t);
    }
  }
  return {0, 0, false};
}

GENESYS_KERNEL ticket_slot finish_ticket_claim(const queue_context& a, const ticket_claim& tried) {
  return (tried.before & tried.bit) == 0 ? slot_of_claim(tried) : claim_another_ticket_slot(a, tried);
}

// C5 for a ticket: waits for its completion. False: the runtime has ended.
template <bool with_block_waiter>
GENESYS_KERNEL bool wait_for_phase(const queue_context& a, u32 completion_slot, u32 phase, scope_kind scope) {
  const u32 lanes = lanes_together(a);
  return wait_for_completion<with_block_waiter>(a, completion_slot, phase, lanes, a.waits, static_cast<u32>(scope))
             .word != never_completed;
}

// Like submit_request, for a dependent: the host makes the call when completion slot `earlier` shows this phase. The
// earlier ticket has not been waited for. If the two tickets have different queues, this lane waits for the earlier
// call.
GENESYS_KERNEL_OUTLINE inline bool submit_after(queue_context a, request& r, u32 earlier, u32 phase) {
  const u32 queue = queue_of_slot(a, earlier);
  if (r.mode == wait_mode::ticket && queue_of_slot(a, r.completion_slot) != queue)
    return wait_for_phase<false>(a, earlier, phase, static_cast<scope_kind>(r.scope)) && submit_request(a, r);
  stamp(a, r);
  set_earlier(r, earlier, phase);
  return submit_through<true>(a, r, queue, true);
}

}  // namespace genesys::detail::queue
