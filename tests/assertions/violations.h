// SPDX-License-Identifier: Apache-2.0
// Kernels that violate invariants of the protocol, one each. A kernel spoils the shared state, or makes a step out of
// order, and the step's assertion has to find it. One thread runs it, in its own world: assertions_test.cpp on the CPU
// device and cuda/violations.cpp on a GPU. If no assertion finds the violation, the kernel ends.
#pragma once

#include "world.h"

namespace assertions {

using genesys::block_rank;
using genesys::blocks_in_grid;
using genesys::lane;

GENESYS_KERNEL request some_request(wait_mode w, u32 completion_slot = 0, u32 phase = 0) {
  request r{};
  r.number = 39;
  r.mode = w;
  r.completion_slot = completion_slot;
  r.phase = phase;
  return r;
}
GENESYS_KERNEL ring_ref ring_of(const device_context& a) { return ring_ref(*a.rings, a.rings_shape, 0); }
GENESYS_KERNEL u32 me(const device_context& a) { return lanes_together(a); }

GENESYS_KERNEL void reap_once(const device_context& a) {
  ring_result none{no_completion_slot, 0, false, 0};
  (void)reap<1>(ring_of(a), a.rings_shape, me(a), none, false);
}
// Writes the SQE of sequence number `ticket`; all SQEs before it are published.
GENESYS_KERNEL void write_one(const device_context& a, u64 ticket) {
  ring_result mine{0, 0, false, 0};
  (void)write_sqes(ring_of(a), a.rings_shape, me(a), ticket, ticket, {}, mine);
}

struct ordinals {
  u32 base, next;
};
// Decides on the next call of this launch's only block, as a producer. The launch has a record with an epoch that began
// at `base`. `remembers`: the block has called in it, and its next call is `next`. In the call record, round
// `slot_next` is the next to be decided on, and `arrived` blocks have arrived.
GENESYS_KERNEL grid_slot call_of_grid(const device_context& a, ordinals at, u32 slot_next, u32 arrived,
                                      bool remembers) {
  const u64 launch = launch_number() + 1;
  const u32 which = static_cast<u32>(launch % grids_max);
  grid_launch_record& r = a.grids->records[which];
  r.launch = launch;
  r.epoch = u64{1} << 32 | at.base;
  r.blocks = blocks_in_grid();
  const u32 ordinal = remembers ? at.next : at.base;
  grid_call_record& slot =
      grid_call_records(a)[which << world::calls_log2 | (ordinal & ((1u << world::calls_log2) - 1))];
  slot.word = u64{slot_next} << 32 | (arrived != 0 ? 1 : 0);
  slot.arrived = arrived;
  grid_cursor mine{};
  if (remembers) mine = {a.nonce ^ launch << 32 ^ block_rank(), r.epoch, at.next, which};
  return decide_grid_call(a, mine, 39, true, false);
}

// --- protocol.h, I1: the lane remembers room that does not exist; or it has not reserved the number.
struct slot_without_room {
  static constexpr const char* message = "I1: a slot is written when its last request was dequeued";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.producers[0].tail = 64;
    sequence_hint next;
    next.store(0, 64, 100);
    request r = some_request(wait_mode::blocking);
    (void)submit_and_wait_inline<true>(a, r, &next);
  }
};
struct slot_without_ticket {
  static constexpr const char* message = "I1: a slot is written when its last request was dequeued";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    request r = some_request(wait_mode::blocking);
    publish<true>(a, r, {0, 0});
  }
};
// --- I2: the slot has a word of its next request, or a word that is too old.
struct newer_word {
  static constexpr const char* message = "I2: a slot's words are of the eight generations before";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.producers[0].tail = 1;
    a.slots[0].words[2] = tag_of(0, a.slots_log2) << tag_shift;
    request r = some_request(wait_mode::blocking);
    publish<true>(a, r, {0, 0});
  }
};
struct older_word {
  static constexpr const char* message = "I2: a slot's words are of the eight generations before";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.producers[0].tail = 1;
    a.slots[0].words[7] = u64{15} << tag_shift;
    request r = some_request(wait_mode::blocking);
    publish<true>(a, r, {0, 0});
  }
};
// --- I4: one owner, one completion.
struct answered_before {
  static constexpr const char* message = "I4: a slot has no completion before its request is published";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.completion_slots[lane()].word = completion_phase;
    request r = some_request(wait_mode::blocking);
    (void)submit_and_wait_inline<true>(a, r);
  }
};
struct ticket_answered_before {
  static constexpr const char* message = "I4: a ticket's slot has no completion before its request is published";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.completion_slots[slots_in_group].word = completion_phase;
    request r = some_request(wait_mode::ticket, slots_in_group, 1);
    (void)submit_request(a, r);
  }
};
struct slot_released_twice {
  static constexpr const char* message = "I4: a completion slot is released once, by its owner, with its completion";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.claims[0] = 1;
    a.completion_slots[0].word = completion_phase;
    release_slot(a, 0);
    release_slot(a, 0);
  }
};
struct slot_released_without_completion {
  static constexpr const char* message = "I4: a completion slot is released once, by its owner, with its completion";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.claims[0] = 1;
    release_slot(a, 0);
  }
};
struct unused_slot_completed {
  static constexpr const char* message = "I4: a completion slot that is released unused was claimed and not completed";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.claims[0] = 1;
    a.completion_slots[0].word = completion_phase;
    release_unused_slot(a, 0);
  }
};
struct unused_slot_unclaimed {
  static constexpr const char* message = "I4: a completion slot that is released unused was claimed and not completed";
  GENESYS_KERNEL void operator()(const device_context& a) const { release_unused_slot(a, 0); }
};
struct ticket_in_a_blocking_slot {
  static constexpr const char* message = "I4: tickets have groups of completion slots of their own";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    request r = some_request(wait_mode::ticket, 0, 1);
    (void)submit_request(a, r);
  }
};
// --- I5: the published head is ahead of what was published.
struct taken_before_published {
  static constexpr const char* message = "I5: no more is dequeued than was published";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.published_heads[0].head = 5;
    (void)refresh_known_head(a, 0);
  }
};
// --- staging/bounce_buffers.h.
struct buffer_given_back_twice {
  static constexpr const char* message = "a bounce buffer is released once after it is acquired";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    const u64 buffer = acquire_buffer(a, 1, hold_time::brief, bounce_wait::for_growth);
    release_buffer(bit_of_buffer(a, buffer));
    release_buffer(bit_of_buffer(a, buffer));
  }
};
struct buffer_given_back_by_both {
  static constexpr const char* message = "the host returns a bounce buffer once after it is acquired";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    const_cast<u64&>(a.bounce->returned[0]) = 1;
    bool my_turn = false;
    (void)collect_returned(a, 0, 0, bounce_classes, my_turn);
  }
};
struct buffer_beyond_its_class {
  static constexpr const char* message = "a bounce buffer that is acquired is one of its class";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    (void)buffer_address(first_bounce_class(a), 0, u64{1} << a.bounce_buffers[0]);
  }
};
// --- team/grid_records.h.
struct record_renewed_while_needed {
  static constexpr const char* message = "J1: a launch record is renewed while no block needs it";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.grids->records[0].use = grid_busy | 1;
    renew_epoch(a, a.grids->records[0]);
  }
};
struct record_renewed_by_another {
  static constexpr const char* message = "J1: a launch record is renewed while no block needs it";
  GENESYS_KERNEL void operator()(const device_context& a) const { renew_epoch(a, a.grids->records[0]); }
};
struct call_passed_too_often {
  static constexpr const char* message = "J1: each block passes a decided call once";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.grids->records[0].use = 1;
    pass_in_launch(a, a.grids->records[0], 2);
  }
};
struct ordinal_decided_on_twice {
  static constexpr const char* message = "J2: ordinals are decided in order, each once";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    (void)call_of_grid(a, {5u << world::calls_log2, 0}, 3, 0, false);
  }
};
struct ordinal_of_the_launch_before {
  static constexpr const char* message = "J3: an epoch begins at its base";
  GENESYS_KERNEL void operator()(const device_context& a) const { (void)call_of_grid(a, {9, 8}, 2, 0, true); }
};
struct slot_freed_early {
  static constexpr const char* message = "J4: a call record is freed once, when every block has passed it";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    grid_call_records(a)[0].word = u64{1} << 32 | 1;
    free_call_record(a, 0);
  }
};
struct slot_freed_twice {
  static constexpr const char* message = "J4: a call record is freed once, when every block has passed it";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    grid_call_records(a)[0].word = u64{1} << 32;
    grid_call_records(a)[0].passed = blocks_in_grid();
    free_call_record(a, 0);
  }
};
struct slot_passed_twice {
  static constexpr const char* message = "J4: a block passes a call record once";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    grid_call_records(a)[0].word = u64{1} << 32 | 1;
    grid_call_records(a)[0].passed = blocks_in_grid();
    pass_grid_call(a, 1);
  }
};
struct block_arrives_twice {
  static constexpr const char* message = "J4: a block arrives at a call once";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    (void)call_of_grid(a, {0, 0}, 1, blocks_in_grid(), false);
  }
};
struct record_given_while_full {
  static constexpr const char* message = "J5: after a launch found no record, none is given";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.grids->full = 1;
    (void)claim_launch_record(a, launch_number() + 1);
  }
};
// --- uring/.
struct entry_without_room {
  static constexpr const char* message = "rings: an SQE has a place, and its CQE too, before it is written";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 5;
    write_one(a, 4);
  }
};
struct completion_without_room {
  static constexpr const char* message = "rings: an SQE has a place, and its CQE too, before it is written";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 9;
    a.rings->state[0].known_head = 8;
    write_one(a, 8);
  }
};
struct entry_without_ticket {
  static constexpr const char* message = "rings: an SQE has a place, and its CQE too, before it is written";
  GENESYS_KERNEL void operator()(const device_context& a) const { write_one(a, 0); }
};
struct tail_out_of_order {
  static constexpr const char* message = "rings: the tail moves in order, over SQEs that are written";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 2;
    a.rings->state[0].published = 2;
    write_one(a, 1);
  }
};
struct tail_over_what_is_not_taken {
  static constexpr const char* message = "rings: the tail moves in order, over SQEs that are written";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->filled[0] = 1;
    publish_sqes(ring_of(a), a.rings_shape, me(a));
  }
};
struct completion_of_no_entry {
  static constexpr const char* message = "rings: reaped <= delivered <= completed <= reserved";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    *a.rings->ring[0].completed = 1;
    reap_once(a);
  }
};
struct reaped_before_handed {
  static constexpr const char* message = "rings: reaped <= delivered <= completed <= reserved";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 2;
    a.rings->state[0].reaped = 1;
    *a.rings->ring[0].completed = 1;
    reap_once(a);
  }
};
struct entry_completed_twice {
  static constexpr const char* message = "rings: an SQE has one CQE";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 2;
    for (u32 i = 0; i < 2; ++i) a.rings->ring[0].cqes[2 * i] = u64{tag_of_sequence(0, 0)} << 32 | 7;
    *a.rings->ring[0].completed = 2;
    reap_once(a);
  }
};
struct posted_finished_twice {
  static constexpr const char* message = "rings: a posted call finishes once, after it began";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    a.rings->state[0].reserved = 2;
    a.rings->posted[1].begun = 1;
    for (u32 i = 0; i < 2; ++i) a.rings->ring[0].cqes[2 * i] = slot_of_posted(1);
    *a.rings->ring[0].completed = 2;
    reap_once(a);
  }
};
struct read_before_written {
  static constexpr const char* message = "rings: Linux reads SQEs that were written";
  GENESYS_KERNEL void operator()(const device_context& a) const {
    *a.rings->ring[0].head = 1;
    refresh_known_sq_head(ring_of(a));
  }
};

// VIOLATION(NAME) for each of them.
#define GENESYS_VIOLATIONS(VIOLATION)         \
  VIOLATION(slot_without_room)                \
  VIOLATION(slot_without_ticket)              \
  VIOLATION(newer_word)                       \
  VIOLATION(older_word)                       \
  VIOLATION(answered_before)                  \
  VIOLATION(ticket_answered_before)           \
  VIOLATION(slot_released_twice)              \
  VIOLATION(slot_released_without_completion) \
  VIOLATION(unused_slot_completed)            \
  VIOLATION(unused_slot_unclaimed)            \
  VIOLATION(ticket_in_a_blocking_slot)        \
  VIOLATION(taken_before_published)           \
  VIOLATION(buffer_given_back_twice)          \
  VIOLATION(buffer_given_back_by_both)        \
  VIOLATION(buffer_beyond_its_class)          \
  VIOLATION(record_renewed_while_needed)      \
  VIOLATION(record_renewed_by_another)        \
  VIOLATION(call_passed_too_often)            \
  VIOLATION(ordinal_decided_on_twice)         \
  VIOLATION(ordinal_of_the_launch_before)     \
  VIOLATION(slot_freed_early)                 \
  VIOLATION(slot_freed_twice)                 \
  VIOLATION(slot_passed_twice)                \
  VIOLATION(block_arrives_twice)              \
  VIOLATION(record_given_while_full)          \
  VIOLATION(entry_without_room)               \
  VIOLATION(completion_without_room)          \
  VIOLATION(entry_without_ticket)             \
  VIOLATION(tail_out_of_order)                \
  VIOLATION(tail_over_what_is_not_taken)      \
  VIOLATION(completion_of_no_entry)           \
  VIOLATION(reaped_before_handed)             \
  VIOLATION(entry_completed_twice)            \
  VIOLATION(posted_finished_twice)            \
  VIOLATION(read_before_written)

}  // namespace assertions
