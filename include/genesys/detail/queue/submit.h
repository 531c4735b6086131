// SPDX-License-Identifier: Apache-2.0
// The calling side of the protocol, C1 to C6 (wire/protocol.h), through a submission queue: reserves a slot, publishes
// the request, waits for the completion. Called by lanes that run together. Each has a request of its own; they reserve
// and publish as one, and each goes on when it has its own completion.
#pragma once

#include "genesys/detail/queue/completion_slots.h"
#include "genesys/detail/queue/first_look.h"
#include "genesys/detail/queue/sequence.h"
#include "genesys/detail/queue/wait.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

struct reservation {
  claimed_slot completion_slot;
  queue_position first;  // of the lowest lane; the others follow in order
  first_look look;
};

// C1 to C3 for the lanes that run together. The leader issues its loads of device memory together, because each takes a
// third of a microsecond. The exchange that reserves comes after them, unless `next` is known: then it is one of them.
// `number`: of the call.
GENESYS_KERNEL reservation reserve(const queue_context& a, u32 lanes, u32 leader, sequence_hint* next, u32 number) {
  const u32 group = home_group(a);
  reservation mine{{}, {0, 0}, {}};
  u64 old = 0;
  if (lane() == leader) {
    const u32 count = count_bits(lanes);
    const bool knows = next != nullptr && next->is_known();
    const u32 queue = knows ? next->queue() : queue_hint() % a.queues;  // a division takes time
    producer_state& g = a.producers[queue];
    u64 tail = no_sequence;
    bool taken = false;
    if (next != nullptr) {
      // It has no branch, which would wait for the exchange. If nothing is known, the exchange fails and is the load.
      if (next->has_room()) tail = next->number();
      taken = global_atomic<u64>(g.tail).compare_exchange(tail, tail + count, order::relaxed);
    } else {
      tail = global_atomic<u64>(g.tail).load(order::relaxed);
    }
    const u64 head = global_atomic<u64>(g.known_head).load(head_order);          // pairs with refresh_known_head
    old = global_atomic<u64>(a.claims[group]).fetch_or(lanes, handoff_acquire);  // pairs with release_slot
    mine.look = first_look(a, group, number);
    mine.first = {tail, queue};
    if (taken) {
      next->advance(count);
    } else {
      const bool alone = knows && !next->has_room() && next->number() == tail;
      mine.first = reserve_by_adding(a, count, queue, tail, head);
      if (next != nullptr) {
        const u64 after = mine.first.number + count, end = head + (u64{1} << a.slots_log2);
        next->store(queue, after, alone && mine.first.queue == queue ? static_cast<i64>(end - after) : 0);
      }
    }
  }
  if (!is_alone(lanes)) {  // shuffles take time (lanes/lanes.h)
    mine.first.number = shuffle(lanes, mine.first.number, leader);
    const auto queue = static_cast<u32>(shuffle(lanes, mine.first.queue << 1 | u32{mine.first.raised}, leader));
    mine.first.queue = queue >> 1;
    mine.first.raised = (queue & 1) != 0;
    mine.look.share(lanes, leader);
    old = shuffle(lanes, old, leader);
  }
  // A lane with reserved numbers waits here for completion slots of calls that are published, or of warps that have
  // reserved numbers and get their slots.
  if (!finish_claim(a, lanes, leader, group, old, mine.completion_slot)) mine.first.queue = no_queue;
  return mine;
}

// C4. Stores the request. Its words may arrive in any order; each carries the tag. One store writes two words: several
// stores to one line delay all that the GPU stores over the link after them. `dependent`: the request has no room to
// name its pairs, so it writes all words.
template <bool quiet, bool dependent = false>
GENESYS_KERNEL void publish(const queue_context& a, request& r, const queue_position& t) {
  u64* words = a.slots[(u64{t.queue} << a.slots_log2) + (t.number & ((u64{1} << a.slots_log2) - 1))].words;
  const u64 tag = tag_of(t.number, a.slots_log2) << tag_shift;
  if constexpr (!dependent) r.pairs = pairs_to_write(r, t.number, a.slots_log2);
  const u32 written = dependent ? pairs_all : r.pairs;
  GENESYS_ASSERT(slot_is_free(a, t.queue, t.number), "I1: a slot is written when its last request was dequeued");
  GENESYS_ASSERT(slot_is_older(a, t.queue, t.number, written),
                 "I2: a slot's words are of the eight generations before");
#if GENESYS_ON_CUDA
  if constexpr (!quiet)
    cuda_target::fence_release_system();  // pairs with S2: a worker that sees the tags sees what this lane wrote before
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    if (i == 6 || (written >> (i / 2) & 1) != 0)
      cuda_target::store_pair_system(words + i, tag | pack_word(r, i), tag | pack_word(r, i + 1));
  }
#else
  for (int i = 0; i < 8; ++i) {
    if (i >= 6 || (written >> (i / 2) & 1) != 0)
      global_atomic<u64, thread_scope::system>(words[i]).store(tag | pack_word(r, i), order::release);  // pairs with S2
  }
#endif
}

// Adds the time, block, warp and run of the call, for reports and stage times.
GENESYS_KERNEL void stamp(const queue_context& a, request& r) {
  r.time = static_cast<u32>(clock_ns() >> 10);
  r.block = block_rank();
  r.warp = warp_rank();
  r.run = a.run;
}

// C1 to C6 of a call that is blocking or parkable: publishes the lane's request and waits. What Linux wrote is visible
// afterwards. `quiet`: no other thread or process sees an effect of the call, so the call need not make visible what
// this thread wrote before. `next`: what the `os` remembers of its last call, if anything. `line`: of the call.
template <bool quiet, bool with_block_waiter = false, class Line = const no_line>
GENESYS_KERNEL completion submit_and_wait_inline(const queue_context& a, request& r, sequence_hint* next = nullptr,
                                                 Line& line = no_line{}) {
  const u32 lanes = lanes_together(a);
  const u32 leader = lowest_bit(lanes);
  GENESYS_ASSERT(is_waited_at_once(r.mode), "a lane that waits at once says so");
  stamp(a, r);  // before the atomics: reading the clock takes time
  reservation mine = reserve(a, lanes, leader, next, r.number);
  if (mine.first.queue == no_queue) return {-ECANCELED, false, 0, {}};  // the runtime has ended: slots stay claimed
  r.completion_slot = mine.completion_slot.group * slots_in_group + lane();
  r.phase = mine.completion_slot.phase;
  GENESYS_ASSERT(phase_shown(a, r.completion_slot) != r.phase,
                 "I4: a slot has no completion before its request is published");
  publish<quiet>(a, r, {mine.first.number + count_bits(lanes & ((1u << lane()) - 1)), mine.first.queue});
  mine.look.wait();

  // A host that sleeps needs a hundred microseconds, and few lanes wait for that: no pauses, which would add to it.
  constexpr u32 spin = in_each_scope(spinning);
  const u32 waits = mine.first.raised ? spin : a.waits;
  int in_vain = 0;
  if constexpr (!std::is_same_v<Line, const no_line>) line.be_early(is_alone(lanes));
  const completion_words seen = wait_for_completion<with_block_waiter>(a, r.completion_slot, mine.completion_slot.phase,
                                                                       lanes, waits, r.scope, &in_vain, line);
  if (seen.word == never_completed)
    return {-ECANCELED, false, 0, {}};  // the slot is not released: it may yet be written
  if (lane() == leader) mine.look.learn(in_vain);
  i64 value = 0;
  constexpr bool has_line = !std::is_same_v<Line, const no_line>;
  if constexpr (has_line) value = line.settle(a, r.completion_slot, seen.word);
  completion made = take_completion(a, r.completion_slot, seen, r.number <= call_number_max);
  if constexpr (has_line) {
    if ((seen.word & completion_wide) == 0) made.value = value;
  }
  return made;
}

// The same, not inlined (docs/notes/006-registers-and-inlining.md); and of a call with a line, at a block waiter.
template <bool with_block_waiter = false>
GENESYS_KERNEL_OUTLINE completion submit_and_wait(queue_context a, request& r, sequence_hint* next = nullptr) {
  return submit_and_wait_inline<false, with_block_waiter>(a, r, next);
}
GENESYS_KERNEL_OUTLINE inline completion submit_and_wait(queue_context a, request& r, line_of_call& line) {
  return submit_and_wait_inline<false, true>(a, r, nullptr, line);
}

}  // namespace genesys::detail::queue
