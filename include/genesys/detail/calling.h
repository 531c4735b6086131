// SPDX-License-Identifier: Apache-2.0
// The calling side of the protocol (protocol.h, steps C1 to C6): sends a request and waits for its answer. Called by
// whichever lanes stand together at that moment; each has a request of its own, they are published as one, and each
// goes on as soon as its own answer is there.
#pragma once

#include <cerrno>

#include "genesys/detail/lanes.h"
#include "genesys/detail/protocol.h"
#include "genesys/detail/room.h"
#include "genesys/kernel.h"

namespace genesys::detail {

struct answer {
  i64 value;           // Linux's own: the result, or -errno
  bool again;          // not made yet: the descriptor has to be waited for first
  extra_answer extra;  // only where the request asks for it
};

// Publishes the lane's request and waits. Nothing is read back before Linux has answered; what Linux wrote is visible
// then. `quiet`: the call shows nothing to anyone, so what this thread wrote before need not be made visible for it.
// `next`: what the lane remembers of its last call, if anything.
class next_ticket;
template <bool quiet, bool roomy = false>
GENESYS_KERNEL answer transact_inline(const call_path& a, request& r, next_ticket* next = nullptr);

// ---

using order = std::memory_order;

// How the last atomic of one owner and the first of the next are ordered. On a GPU both are performed in device memory
// in the order in which they are issued, and the next owner's polls go over the link after that; a release there would
// cost every call a wait for nothing, and an acquire would empty the multiprocessor's cache for nothing.
constexpr order handing_on = GENESYS_ON_CUDA ? order::relaxed : order::release;
constexpr order claiming = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

// Of a first look at known_head. On a GPU relaxed is enough: whoever writes a slot because of the value writes after
// having it (I1), and no GPU stores ahead of a branch.
constexpr order head_order = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

struct claimed_cell {
  u32 group;
  u32 phase;  // the phase that the answer shall have
};

GENESYS_KERNEL void keep_claimed(u32 old_low, u32 old_high, u32 group, u32& wanted, claimed_cell& mine) {
  const u32 got = wanted & ~old_low;
  if ((got >> lane()) & 1) mine = {group, ~(old_high >> lane()) & 1};
  wanted &= ~got;
}

// C1, when cells of the group tried first were taken: each of the lanes in `wanted` gets the cell of its own number in
// some other group. There are as many groups as warps, so each finds one, unless the runtime ended with calls
// unanswered: false.
GENESYS_KERNEL bool claim_elsewhere(const call_path& a, u32 lanes, u32 leader, u32 wanted, claimed_cell& mine,
                                    u32 group) {
  for (u32 tried = 1; wanted != 0; ++tried) {
    group = group + 1 == a.groups ? 0 : group + 1;
    u64 old = 0;
    if (lane() == leader)
      old = global_atomic<u64>(a.group[group]).fetch_or(wanted, claiming);  // pairs with release_cell
    old = shuffle(lanes, old, leader);
    keep_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
    if (tried % a.groups == 0 && runtime_ended(a)) return false;
  }
  return true;
}

// The rest of C1, when the leader has asked for all lanes' cells in `group`, and `old` was there. False: the runtime
// has ended.
GENESYS_KERNEL bool keep_or_claim(const call_path& a, u32 lanes, u32 leader, u32 group, u64 old, claimed_cell& mine) {
  old = shuffle(lanes, old, leader);
  u32 wanted = lanes;
  keep_claimed(static_cast<u32>(old), static_cast<u32>(old >> 32), group, wanted, mine);
  return wanted == 0 || claim_elsewhere(a, lanes, leader, wanted, mine, group);
}

GENESYS_KERNEL u32 own_group(const call_path& a) {
  const u32 group = warp_hint();
  return group < a.groups ? group : group % a.groups;
}

// C1 alone. False: the runtime has ended.
GENESYS_KERNEL bool claim_cells(const call_path& a, u32 lanes, u32 leader, claimed_cell& mine) {
  const u32 group = own_group(a);
  u64 old = 0;
  if (lane() == leader) old = global_atomic<u64>(a.group[group]).fetch_or(lanes, claiming);  // pairs with release_cell
  return keep_or_claim(a, lanes, leader, group, old, mine);
}

// C6. The cell is free for the next owner, who will wait for the other phase.
GENESYS_KERNEL void release_cell(const call_path& a, u32 cell) {
  const u64 bit = u64{1} << (cell % cells_in_group);
  global_atomic<u64>(a.group[cell / cells_in_group]).fetch_xor(bit | bit << 32, handing_on);  // pairs with C1
}

// The claim is undone: no worker answered with this cell, so its phase stays.
GENESYS_KERNEL void release_unused_cell(const call_path& a, u32 cell) {
  global_atomic<u64>(a.group[cell / cells_in_group]).fetch_and(~(u64{1} << (cell % cells_in_group)), handing_on);
}

struct ring_ticket {
  u64 number;
  u32 shard;
};

constexpr u32 no_shard = ~u32{0};
constexpr u64 no_ticket = ~u64{0};  // more than are ever taken

// Whether a warp's worth of requests fits. The same for one lane as for 32, so that whole warps are not outrun by
// single lanes.
GENESYS_KERNEL bool has_room(u64 tail, u64 head, u32 slots_log2) {
  return static_cast<i64>(tail + warp_lanes - head) <= (i64{1} << slots_log2);
}

// Reads the shard's mirror, the host's word on what was taken, and keeps the highest seen for all. Only one lane at a
// time goes over the link for it: thousands who wait for room would keep the worker from its own line.
GENESYS_KERNEL u64 look_at_mirror(const call_path& a, u32 shard) {
  gate& g = a.gates[shard];
  const global_atomic<u32> looking(g.looking);
  if (looking.load(order::relaxed) == 0 && looking.exchange(1, order::acquire) == 0) {
    const u64 head = global_atomic<u64, reach::system>(a.mirror[shard].head).load(order::acquire);  // pairs with S4
    global_atomic<u64>(g.known_head).fetch_max(head, order::release);  // pairs with the load below and in C2
    looking.store(0, order::release);
  }
  return global_atomic<u64>(g.known_head).load(order::acquire);
}

// C2 and C3 for one lane: `count` tickets of the first shard from `shard` on that has room; waits if none has. A ticket
// is taken only where there is room for it, in one exchange: whoever holds one publishes at once, and holds nobody up
// who came later. `tail`, `head`: what was seen of the shard, not long ago. `only_here`: no other shard will do.
GENESYS_KERNEL ring_ticket take_tickets(const call_path& a, u32 count, u32 shard, u64 tail, u64 head,
                                        bool only_here = false) {
  patience waiting;
  for (u32 passed_over = 0;;) {
    const global_atomic<u64> counter(a.gates[shard].tail);
    while (has_room(tail, head, a.slots_log2)) {
      if (counter.compare_exchange(tail, tail + count, order::relaxed)) return {tail, shard};
    }
    const u64 looked = look_at_mirror(a, shard);
    if (looked == head) {
      if (!only_here) shard = shard + 1 == a.shards ? 0 : shard + 1;
      if (only_here || ++passed_over >= a.shards) {
        if (!waiting.wait(a)) return {0, no_shard};
        passed_over = 0;
      }
      tail = global_atomic<u64>(a.gates[shard].tail).load(order::relaxed);
      head = global_atomic<u64>(a.gates[shard].known_head).load(order::acquire);  // pairs with look_at_mirror
    } else {
      head = looked;
    }
  }
}

// What a thread remembers of its last call: the ticket after its own, and how many from there on had room, of its
// shard. So who calls alone through a shard takes the next one without a look before. That stays true, since a shard's
// mirror only grows (I1); the exchange fails where somebody else has called meanwhile. One word, so that it is whole
// whoever else writes it.
class next_ticket {
 public:
  GENESYS_KERNEL bool is_known() const { return word_ != 0; }
  GENESYS_KERNEL u32 shard() const { return word_ & shard_max; }
  GENESYS_KERNEL u64 number() const { return word_ >> number_shift; }
  GENESYS_KERNEL bool has_room() const { return (word_ >> room_shift & room_max) >= warp_lanes; }
  // `count` were taken, with room.
  GENESYS_KERNEL void took(u32 count) { word_ += (u64{count} << number_shift) - (u64{count} << room_shift); }
  GENESYS_KERNEL void keep(u32 shard, u64 number, i64 room) {
    const u64 known = room <= 0 ? 0 : room >= room_max ? room_max : static_cast<u64>(room);
    word_ = number << number_shift | known << room_shift | shard;
  }

 private:
  // (With more tickets than there are bits, each exchange fails.)
  static constexpr u32 room_shift = 10, number_shift = 20;
  static constexpr u32 shard_max = (1u << room_shift) - 1, room_max = (1u << (number_shift - room_shift)) - 1;
  u64 word_ = 0;
};

struct place {
  claimed_cell cell;
  ring_ticket first;  // of the lowest lane; the others follow in order
};

// C1 to C3 for the lanes that stand together. The leader's looks at device memory go out at once, since each takes a
// third of a microsecond; the ticket comes after them, unless it is the `next` one, which goes out with them.
GENESYS_KERNEL place take_place(const call_path& a, u32 lanes, u32 leader, next_ticket* next) {
  const u32 group = own_group(a);
  place mine{{}, {0, 0}};
  u64 old = 0;
  if (lane() == leader) {
    const u32 count = count_bits(lanes);
    const bool knows = next != nullptr && next->is_known();
    const u32 shard = knows ? next->shard() : shard_hint() % a.shards;  // to divide takes
    gate& g = a.gates[shard];
    u64 tail = no_ticket;
    bool taken = false;
    if (next != nullptr) {
      // Without a branch, for which the exchange would be waited for. If nothing is known it fails, and is the look.
      if (next->has_room()) tail = next->number();
      taken = global_atomic<u64>(g.tail).compare_exchange(tail, tail + count, order::relaxed);
    } else {
      tail = global_atomic<u64>(g.tail).load(order::relaxed);
    }
    const u64 head = global_atomic<u64>(g.known_head).load(head_order);  // pairs with look_at_mirror
    old = global_atomic<u64>(a.group[group]).fetch_or(lanes, claiming);  // pairs with release_cell
    mine.first = {tail, shard};
    if (taken) {
      next->took(count);
    } else {
      const bool alone = knows && !next->has_room() && next->number() == tail;
      mine.first = take_tickets(a, count, shard, tail, head);
      if (next != nullptr) {
        const u64 after = mine.first.number + count, end = head + (u64{1} << a.slots_log2);
        next->keep(shard, after, alone && mine.first.shard == shard ? static_cast<i64>(end - after) : 0);
      }
    }
  }
  mine.first.number = shuffle(lanes, mine.first.number, leader);
  mine.first.shard = shuffle(lanes, mine.first.shard, leader);
  // Tickets in hand, this waits for cells: of calls that were published before, and of warps that hold tickets and find
  // theirs.
  if (!keep_or_claim(a, lanes, leader, group, old, mine.cell)) mine.first.shard = no_shard;
  return mine;
}

// C4. Stores the request; the words may arrive in any order, each tells by its tag. One store for two words: several to
// one line hold up all that the GPU writes over the link behind them.
template <bool quiet>
GENESYS_KERNEL void publish(const call_path& a, request& r, const ring_ticket& t) {
  u64* words = a.ring[(u64{t.shard} << a.slots_log2) + (t.number & ((u64{1} << a.slots_log2) - 1))].words;
  const u64 tag = tag_of(t.number, a.slots_log2) << tag_shift;
  r.pairs = pairs_to_write(r, t.number, a.slots_log2);
#if GENESYS_ON_CUDA
  if constexpr (!quiet) fence<reach::system>();  // pairs with S2: who sees the tags sees what was written before
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    if (i == 6 || (r.pairs >> (i / 2) & 1) != 0)
      cuda_target::store_pair_system(words + i, tag | pack_word(r, i), tag | pack_word(r, i + 1));
  }
#else
  for (int i = 0; i < 8; ++i) {
    if (i >= 6 || (r.pairs >> (i / 2) & 1) != 0)
      global_atomic<u64, reach::system>(words[i]).store(tag | pack_word(r, i), order::release);  // pairs with S2
  }
#endif
}

// No answer comes any more. (No cell ever says this: the value has both other flags.)
constexpr u64 never_answered = answer_wide | answer_again;

// Lanes that came together leave together where that costs little: those whose answer is there wait for the others as
// long again as it took, but no longer than some microseconds, since the others may wait for what these will do. (Lanes
// that part make calls of their own from then on, at 32 times the cost.)
struct company {
  u32 lanes;  // that still wait
  u32 ready;  // of them, those whose answer is there
  u64 limit_ns;

  static constexpr u64 no_limit = ~u64{0};
  GENESYS_KERNEL explicit company(u32 all) : lanes(all), ready(0), limit_ns(no_limit) {}

  // After a look: whether this lane goes its way.
  GENESYS_KERNEL bool leaves(bool done, const patience& waiting) {
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
GENESYS_KERNEL u64 await_in_room(const call_path& a, u32 cell, u32 phase, u32 lanes, u32 room) {
  const global_atomic<u64, reach::system> word(a.cell[cell]);
  patience waiting;
  company together(lanes);
  guest here(room, cell, phase);
  for (;;) {
    const u64 seen = word.load(order::acquire);  // pairs with S6
    const bool done = phase_of(seen) == phase;
    if (together.leaves(done, waiting)) {
      if (together.ready == together.lanes) here.leave(together.lanes);
      return seen;
    }
    const bool ended = !here.rest(a, together.lanes, done, waiting);
    if (GENESYS_ON_CUDA ? ballot(together.lanes, ended) != 0 : ended) {  // all leave, or none
      here.leave(together.lanes);
      return done ? seen : never_answered;
    }
  }
}

// C5. Waits until the cell shows the phase: a few looks at once, for the fast calls, then in the manner that `waits`
// names for the scope. (Lanes that stand together may have been told different ones: they wait as the lowest does.)
// `roomy`: in a room. A kernel that has none is not to carry the code for it.
template <bool roomy = false>
GENESYS_KERNEL u64 await_answer(const call_path& a, u32 cell, u32 phase, u32 lanes, u32 waits = 0, u32 scope = 0) {
  constexpr u32 looks_at_once = 4;  // not on the CPU device
  const global_atomic<u64, reach::system> word(a.cell[cell]);
  patience waiting;
  company together(lanes);
  u64 seen = 0;
  u32 how = backing_off;
  bool done = false;
  for (u32 looks = 0;; ++looks) {
    if (!done) {
      seen = word.load(order::acquire);  // pairs with S6
      done = phase_of(seen) == phase;
    }
    if (together.leaves(done, waiting)) return seen;
    if (GENESYS_ON_CUDA && looks < looks_at_once) {
      waiting.look();
      continue;
    }
    if (looks == (GENESYS_ON_CUDA ? looks_at_once : 0)) {
      how = how_to_wait(waits, scope);
      if (GENESYS_ON_CUDA) how = shuffle(together.lanes, how, lowest_bit(together.lanes));
      if constexpr (roomy) {
        if (how >= in_room) return await_in_room(a, cell, phase, together.lanes, how);
      }
    }
    bool ended = !(how == spinning ? waiting.spin(a) : waiting.wait(a));
    if (GENESYS_ON_CUDA) ended = ballot(together.lanes, ended) != 0;  // all leave, or none: the next vote counts on it
    if (ended) return done ? seen : never_answered;
  }
}

// Who calls, for reports.
GENESYS_KERNEL void sign(const call_path& a, request& r) {
  r.time = static_cast<u32>(clock_ns() >> 10);
  r.block = block_rank();
  r.warp = warp_rank();
  r.run = a.run;
}

// The answer in a cell, after which the cell is free.
GENESYS_KERNEL answer take_answer(const call_path& a, u32 cell, u64 word, bool system_call) {
  answer result{answer_value(word), (word & answer_again) != 0, {}};
  if ((word & answer_wide) != 0) {
    result.extra = {global_atomic<u64, reach::system>(a.extra[cell].first).load(order::relaxed),
                    global_atomic<u64, reach::system>(a.extra[cell].second).load(order::relaxed)};
    if (system_call) result.value = static_cast<i64>(result.extra.first);
    fence<reach::device>();  // both were read before the next owner's request can lead to others
  }
  release_cell(a, cell);
  return result;
}

template <bool quiet, bool roomy>
GENESYS_KERNEL answer transact_inline(const call_path& a, request& r, next_ticket* next) {
  const u32 lanes = lanes_together(a);
  const u32 leader = lowest_bit(lanes);
  r.waits = waiting::blocking;
  sign(a, r);  // before the atomics: the clock takes, too
  const place mine = take_place(a, lanes, leader, next);
  if (mine.first.shard == no_shard) return {-ECANCELED, false, {}};  // the end: cells need not be given back
  r.cell = mine.cell.group * cells_in_group + lane();
  r.phase = mine.cell.phase;
  publish<quiet>(a, r, {mine.first.number + count_bits(lanes & ((1u << lane()) - 1)), mine.first.shard});

  const u64 word = await_answer<roomy>(a, r.cell, mine.cell.phase, lanes, a.waits, r.scope);
  if (word == never_answered) return {-ECANCELED, false, {}};  // nor is the cell given back: it may yet be written
  return take_answer(a, r.cell, word, r.number <= call_number_max);
}

// transact_inline<false>, once in a program however many calls a kernel makes: for every call but the quiet ones that
// have no pointers. Inlined into each call it made kernels with twenty of them take minutes to compile.
template <bool roomy = false>
GENESYS_KERNEL_OUTLINE answer transact(call_path a, request& r, next_ticket* next = nullptr) {
  return transact_inline<false, roomy>(a, r, next);
}

}  // namespace genesys::detail
