// SPDX-License-Identifier: Apache-2.0
// The calling side of the protocol (protocol.h, steps C1 to C6): sends a request and waits for its answer. Called by
// whichever lanes stand together at that moment; each has a request of its own, they are published as one, and each
// goes on as soon as its own answer is there.
#pragma once

#include <cerrno>

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/queue/block_waiter.h"
#include "genesys/detail/queue/invariants.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

struct completion {
  i64 value;               // Linux's own: the result, or -errno
  bool again;              // not made yet: the descriptor has to be waited for first
  completion_extra extra;  // only where the request asks for it
};

// Publishes the lane's request and waits. Nothing is read back before Linux has answered; what Linux wrote is visible
// then. `quiet`: the call shows nothing to anyone, so what this thread wrote before need not be made visible for it.
// `next`: what the lane remembers of its last call, if anything.
class sequence_hint;
template <bool quiet, bool with_block_waiter = false>
GENESYS_KERNEL completion submit_and_wait_inline(const queue_context& a, request& r, sequence_hint* next = nullptr);

// ---

// How the last atomic of one owner and the first of the next are ordered. On a GPU both are performed in device memory
// in the order in which they are issued, and the next owner's polls go over the link after that; a release there would
// cost every call a wait for nothing, and an acquire would empty the multiprocessor's cache for nothing.
constexpr order handoff_release = GENESYS_ON_CUDA ? order::relaxed : order::release;
constexpr order handoff_acquire = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

// Of a first look at known_head. On a GPU relaxed is enough: whoever writes a slot because of the value writes after
// having it (I1), and no GPU stores ahead of a branch.
constexpr order head_order = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

struct claimed_slot {
  u32 group;
  u32 phase;  // the phase that the answer shall have
};

GENESYS_KERNEL void record_claimed(u32 old_low, u32 old_high, u32 group, u32& wanted, claimed_slot& mine) {
  const u32 got = wanted & ~old_low;
  if ((got >> lane()) & 1) mine = {group, ~(old_high >> lane()) & 1};
  wanted &= ~got;
}

// C1, when cells of the group tried first were taken: each of the lanes in `wanted` gets the cell of its own number in
// some other group. There are as many groups as warps, so each finds one, unless the runtime ended with calls
// unanswered: false.
GENESYS_KERNEL bool claim_in_other_groups(const queue_context& a, u32 lanes, u32 leader, u32 wanted, claimed_slot& mine,
                                          u32 group) {
  for (u32 tried = 1; wanted != 0; ++tried) {
    group = group + 1 == a.groups ? 0 : group + 1;
    u64 old = 0;
    if (lane() == leader)
      old = global_atomic<u64>(a.claims[group]).fetch_or(wanted, handoff_acquire);  // pairs with release_slot
    old = shuffle(lanes, old, leader);
    record_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
    if (tried % a.groups == 0 && runtime_ended(a)) return false;
  }
  return true;
}

// The rest of C1, when the leader has asked for all lanes' cells in `group`, and `old` was there. False: the runtime
// has ended.
GENESYS_KERNEL bool finish_claim(const queue_context& a, u32 lanes, u32 leader, u32 group, u64 old,
                                 claimed_slot& mine) {
  old = shuffle(lanes, old, leader);
  u32 wanted = lanes;
  record_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
  return wanted == 0 || claim_in_other_groups(a, lanes, leader, wanted, mine, group);
}

GENESYS_KERNEL u32 home_group(const queue_context& a) {
  const u32 group = warp_hint();
  return group < a.groups ? group : group % a.groups;
}

// C1 alone. False: the runtime has ended.
GENESYS_KERNEL bool claim_slots(const queue_context& a, u32 lanes, u32 leader, claimed_slot& mine) {
  const u32 group = home_group(a);
  u64 old = 0;
  if (lane() == leader)
    old = global_atomic<u64>(a.claims[group]).fetch_or(lanes, handoff_acquire);  // pairs with release_slot
  return finish_claim(a, lanes, leader, group, old, mine);
}

// C6. The cell is free for the next owner, who will wait for the other phase.
GENESYS_KERNEL void release_slot(const queue_context& a, u32 completion_slot) {
  const u64 bit = u64{1} << (completion_slot % slots_in_group);
  [[maybe_unused]] const u64 before = global_atomic<u64>(a.claims[completion_slot / slots_in_group])
                                          .fetch_xor(bit | bit << 32, handoff_release);  // pairs with C1
  GENESYS_ASSERT(was_owned(a, completion_slot, before, true),
                 "I4: a completion slot is released once, by its owner, with its completion");
}

// The claim is undone: no worker answered with this cell, so its phase stays.
GENESYS_KERNEL void release_unused_slot(const queue_context& a, u32 completion_slot) {
  [[maybe_unused]] const u64 before = global_atomic<u64>(a.claims[completion_slot / slots_in_group])
                                          .fetch_and(~(u64{1} << (completion_slot % slots_in_group)), handoff_release);
  GENESYS_ASSERT(was_owned(a, completion_slot, before, false),
                 "I4: a completion slot that is released unused was claimed and not completed");
}

struct queue_position {
  u64 number;
  u32 queue;
};

constexpr u32 no_queue = ~u32{0};
constexpr u64 no_sequence = ~u64{0};  // more than are ever taken

// Whether a warp's worth of requests fits. The same for one lane as for 32, so that whole warps are not outrun by
// single lanes.
GENESYS_KERNEL bool has_room(u64 tail, u64 head, u32 slots_log2) {
  return static_cast<i64>(tail + warp_lanes - head) <= (i64{1} << slots_log2);
}

// Reads the shard's mirror, the host's word on what was taken, and keeps the highest seen for all. Only one lane at a
// time goes over the link for it: thousands who wait for room would keep the worker from its own line.
GENESYS_KERNEL u64 refresh_known_head(const queue_context& a, u32 queue) {
  producer_state& g = a.producers[queue];
  const global_atomic<u32> refreshing(g.refreshing);
  if (refreshing.load(order::relaxed) == 0 && refreshing.exchange(1, order::acquire) == 0) {
    const u64 head =
        global_atomic<u64, thread_scope::system>(a.published_heads[queue].head).load(order::acquire);  // pairs with S4
    GENESYS_ASSERT(head <= global_atomic<u64>(g.tail).load(order::relaxed),
                   "I5: no more is dequeued than was published");
    global_atomic<u64>(g.known_head).fetch_max(head, order::release);  // pairs with the load below and in C2
    refreshing.store(0, order::release);
  }
  return global_atomic<u64>(g.known_head).load(order::acquire);
}

// C2 and C3 for one lane: `count` tickets of the first shard from `shard` on that has room; waits if none has. A ticket
// is taken only where there is room for it, in one exchange: whoever holds one publishes at once, and holds nobody up
// who came later. `tail`, `head`: what was seen of the shard, not long ago. `only_here`: no other shard will do.
GENESYS_KERNEL queue_position reserve_positions(const queue_context& a, u32 count, u32 queue, u64 tail, u64 head,
                                                bool only_here = false) {
  backoff waiting;
  for (u32 passed_over = 0;;) {
    const global_atomic<u64> counter(a.producers[queue].tail);
    while (has_room(tail, head, a.slots_log2)) {
      if (counter.compare_exchange(tail, tail + count, order::relaxed)) return {tail, queue};
    }
    const u64 looked = refresh_known_head(a, queue);
    if (looked == head) {
      if (!only_here) queue = queue + 1 == a.queues ? 0 : queue + 1;
      if (only_here || ++passed_over >= a.queues) {
        if (!waiting.wait(a)) return {0, no_queue};
        passed_over = 0;
      }
      tail = global_atomic<u64>(a.producers[queue].tail).load(order::relaxed);
      head = global_atomic<u64>(a.producers[queue].known_head).load(order::acquire);  // pairs with refresh_known_head
    } else {
      head = looked;
    }
  }
}

// What a thread remembers of its last call: the ticket after its own, and how many from there on had room, of its
// shard. So who calls alone through a shard takes the next one without a look before. That stays true, since a shard's
// mirror only grows (I1); the exchange fails where somebody else has called meanwhile. One word, so that it is whole
// whoever else writes it.
class sequence_hint {
 public:
  GENESYS_KERNEL bool is_known() const { return word_ != 0; }
  GENESYS_KERNEL u32 queue() const { return word_ & queue_max; }
  GENESYS_KERNEL u64 number() const { return word_ >> number_shift; }
  GENESYS_KERNEL bool has_room() const { return (word_ >> capacity_shift & capacity_max) >= warp_lanes; }
  // `count` were taken, with room.
  GENESYS_KERNEL void advance(u32 count) { word_ += (u64{count} << number_shift) - (u64{count} << capacity_shift); }
  GENESYS_KERNEL void store(u32 queue, u64 number, i64 capacity) {
    const u64 known = capacity <= 0 ? 0 : capacity >= capacity_max ? capacity_max : static_cast<u64>(capacity);
    word_ = number << number_shift | known << capacity_shift | queue;
  }

 private:
  // (With more tickets than there are bits, each exchange fails.)
  static constexpr u32 capacity_shift = 10, number_shift = 20;
  static constexpr u32 queue_max = (1u << capacity_shift) - 1,
                       capacity_max = (1u << (number_shift - capacity_shift)) - 1;
  u64 word_ = 0;
};

struct reservation {
  claimed_slot completion_slot;
  queue_position first;  // of the lowest lane; the others follow in order
};

// C1 to C3 for the lanes that stand together. The leader's looks at device memory go out at once, since each takes a
// third of a microsecond; the ticket comes after them, unless it is the `next` one, which goes out with them.
GENESYS_KERNEL reservation reserve(const queue_context& a, u32 lanes, u32 leader, sequence_hint* next) {
  const u32 group = home_group(a);
  reservation mine{{}, {0, 0}};
  u64 old = 0;
  if (lane() == leader) {
    const u32 count = count_bits(lanes);
    const bool knows = next != nullptr && next->is_known();
    const u32 queue = knows ? next->queue() : queue_hint() % a.queues;  // to divide takes
    producer_state& g = a.producers[queue];
    u64 tail = no_sequence;
    bool taken = false;
    if (next != nullptr) {
      // Without a branch, for which the exchange would be waited for. If nothing is known it fails, and is the look.
      if (next->has_room()) tail = next->number();
      taken = global_atomic<u64>(g.tail).compare_exchange(tail, tail + count, order::relaxed);
    } else {
      tail = global_atomic<u64>(g.tail).load(order::relaxed);
    }
    const u64 head = global_atomic<u64>(g.known_head).load(head_order);          // pairs with refresh_known_head
    old = global_atomic<u64>(a.claims[group]).fetch_or(lanes, handoff_acquire);  // pairs with release_slot
    mine.first = {tail, queue};
    if (taken) {
      next->advance(count);
    } else {
      const bool alone = knows && !next->has_room() && next->number() == tail;
      mine.first = reserve_positions(a, count, queue, tail, head);
      if (next != nullptr) {
        const u64 after = mine.first.number + count, end = head + (u64{1} << a.slots_log2);
        next->store(queue, after, alone && mine.first.queue == queue ? static_cast<i64>(end - after) : 0);
      }
    }
  }
  mine.first.number = shuffle(lanes, mine.first.number, leader);
  mine.first.queue = shuffle(lanes, mine.first.queue, leader);
  // Tickets in hand, this waits for cells: of calls that were published before, and of warps that hold tickets and find
  // theirs.
  if (!finish_claim(a, lanes, leader, group, old, mine.completion_slot)) mine.first.queue = no_queue;
  return mine;
}

// C4. Stores the request; the words may arrive in any order, each tells by its tag. One store for two words: several to
// one line hold up all that the GPU writes over the link behind them.
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
  if constexpr (!quiet) fence<thread_scope::system>();  // pairs with S2: who sees the tags sees what was written before
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

// No answer comes any more. (No cell ever says this: the value has both other flags.)
constexpr u64 never_completed = completion_wide | completion_again;

// Lanes that came together leave together where that costs little: those whose answer is there wait for the others as
// long again as it took, but no longer than some microseconds, since the others may wait for what these will do. (Lanes
// that part make calls of their own from then on, at 32 times the cost.)
struct reconvergence {
  u32 lanes;  // that still wait
  u32 ready;  // of them, those whose answer is there
  u64 limit_ns;

  static constexpr u64 no_limit = ~u64{0};
  GENESYS_KERNEL explicit reconvergence(u32 all) : lanes(all), ready(0), limit_ns(no_limit) {}

  // After a look: whether this lane goes its way.
  GENESYS_KERNEL bool may_leave(bool done, const backoff& waiting) {
    constexpr u64 grace_max_ns = 16'000;
    ready = GENESYS_ON_CUDA ? ballot(lanes, done) : done ? lanes : 0;
    if (ready == lanes) return true;
    if (ready == 0) return false;
    const u64 so_far = waiting.waited_ns();
    if (limit_ns == no_limit) limit_ns = so_far + (so_far < grace_max_ns ? so_far : grace_max_ns) + 4000;
    if (so_far >= limit_ns) {
      if (done) return true;
      lanes &= ~ready;
      limit_ns = no_limit;
    }
    return false;
  }
};

// C5 in a room (room.h): looks, and in between rests there.
GENESYS_KERNEL u64 wait_in_block_waiter(const queue_context& a, u32 completion_slot, u32 phase, u32 lanes,
                                        u32 block_waiter_at) {
  const global_atomic<u64, thread_scope::system> word(a.completion_slots[completion_slot]);
  backoff waiting;
  reconvergence together(lanes);
  block_wait here(block_waiter_at, completion_slot, phase);
  for (;;) {
    const u64 seen = word.load(order::acquire);  // pairs with S6
    const bool done = phase_of(seen) == phase;
    if (together.may_leave(done, waiting)) {
      if (together.ready == together.lanes) here.leave(together.lanes);
      return seen;
    }
    const bool ended = !here.wait(a, together.lanes, done, waiting);
    if (GENESYS_ON_CUDA ? ballot(together.lanes, ended) != 0 : ended) {  // all leave, or none
      here.leave(together.lanes);
      return done ? seen : never_completed;
    }
  }
}

// C5. Waits until the cell shows the phase: a few looks at once, for the fast calls, then in the manner that `waits`
// names for the scope. (Lanes that stand together may have been told different ones: they wait as the lowest does.)
// `roomy`: in a room. A kernel that has none is not to carry the code for it.
template <bool with_block_waiter = false>
GENESYS_KERNEL u64 wait_for_completion(const queue_context& a, u32 completion_slot, u32 phase, u32 lanes, u32 waits = 0,
                                       u32 scope = 0) {
  constexpr u32 looks_at_once = 4;  // not on the CPU device
  const global_atomic<u64, thread_scope::system> word(a.completion_slots[completion_slot]);
  backoff waiting;
  reconvergence together(lanes);
  u64 seen = 0;
  u32 how = backing_off;
  bool done = false;
  for (u32 looks = 0;; ++looks) {
    if (!done) {
      seen = word.load(order::acquire);  // pairs with S6
      done = phase_of(seen) == phase;
    }
    if (together.may_leave(done, waiting)) return seen;
    if (GENESYS_ON_CUDA && looks < looks_at_once) {
      waiting.look();
      continue;
    }
    if (looks == (GENESYS_ON_CUDA ? looks_at_once : 0)) {
      how = strategy_of(waits, scope);
      if (GENESYS_ON_CUDA) how = shuffle(together.lanes, how, lowest_bit(together.lanes));
      if constexpr (with_block_waiter) {
        if (how >= in_block_waiter) return wait_in_block_waiter(a, completion_slot, phase, together.lanes, how);
      }
    }
    bool ended = !(how == spinning ? waiting.spin(a) : waiting.wait(a));
    if (GENESYS_ON_CUDA) ended = ballot(together.lanes, ended) != 0;  // all leave, or none: the next vote counts on it
    if (ended) return done ? seen : never_completed;
  }
}

// Who calls, for reports.
GENESYS_KERNEL void stamp(const queue_context& a, request& r) {
  r.time = static_cast<u32>(clock_ns() >> 10);
  r.block = block_rank();
  r.warp = warp_rank();
  r.run = a.run;
}

// The answer in a cell, after which the cell is free.
GENESYS_KERNEL completion take_completion(const queue_context& a, u32 completion_slot, u64 word, bool system_call) {
  completion result{completion_value(word), (word & completion_again) != 0, {}};
  if ((word & completion_wide) != 0) {
    result.extra = {global_atomic<u64, thread_scope::system>(a.extras[completion_slot].first).load(order::relaxed),
                    global_atomic<u64, thread_scope::system>(a.extras[completion_slot].second).load(order::relaxed)};
    if (system_call) result.value = static_cast<i64>(result.extra.first);
    fence<thread_scope::device>();  // both were read before the next owner's request can lead to others
  }
  release_slot(a, completion_slot);
  return result;
}

template <bool quiet, bool with_block_waiter>
GENESYS_KERNEL completion submit_and_wait_inline(const queue_context& a, request& r, sequence_hint* next) {
  const u32 lanes = lanes_together(a);
  const u32 leader = lowest_bit(lanes);
  r.mode = wait_mode::blocking;
  stamp(a, r);  // before the atomics: the clock takes, too
  const reservation mine = reserve(a, lanes, leader, next);
  if (mine.first.queue == no_queue) return {-ECANCELED, false, {}};  // the end: cells need not be given back
  r.completion_slot = mine.completion_slot.group * slots_in_group + lane();
  r.phase = mine.completion_slot.phase;
  GENESYS_ASSERT(phase_shown(a, r.completion_slot) != r.phase,
                 "I4: a slot has no completion before its request is published");
  publish<quiet>(a, r, {mine.first.number + count_bits(lanes & ((1u << lane()) - 1)), mine.first.queue});

  const u64 word =
      wait_for_completion<with_block_waiter>(a, r.completion_slot, mine.completion_slot.phase, lanes, a.waits, r.scope);
  if (word == never_completed) return {-ECANCELED, false, {}};  // nor is the cell given back: it may yet be written
  return take_completion(a, r.completion_slot, word, r.number <= call_number_max);
}

// submit_and_wait_inline<false>, once in a program however many calls a kernel makes: for every call but the quiet ones
// that have no pointers. Inlined into each call it made kernels with twenty of them take minutes to compile.
template <bool with_block_waiter = false>
GENESYS_KERNEL_OUTLINE completion submit_and_wait(queue_context a, request& r, sequence_hint* next = nullptr) {
  return submit_and_wait_inline<false, with_block_waiter>(a, r, next);
}

}  // namespace genesys::detail::queue
