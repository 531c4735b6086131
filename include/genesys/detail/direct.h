// SPDX-License-Identifier: Apache-2.0
// Calls that a kernel submits to Linux itself (executor `direct`, docs/direct.md): callers write the entries of an
// io_uring(7) ring and its tail, a thread of Linux's own (IORING_SETUP_SQPOLL) makes the calls, and callers hand the
// completions on among themselves. No thread of the process takes part. (R: the labels of models/direct.pml.)
//
//   R1 claim a cell (C1), and clear its answer.
//   R2 find room: for entries that Linux has not read, and for their completions. Who waits for room reaps (R7).
//   R3 take tickets, if there still is room: taken -> taken + lanes.   R4 write the entries; fence.
//   R5 when all tickets before are published: store the ring's tail, and then `published`.
//   R6 look at the cell's answer, reap, and look again.
//   R7 one at a time: take the completions that Linux has written, store each as the answer of the cell it names; then
//      tell Linux that they were seen, and all others that there is room.
//   R8 release the cell. Its phase stays: no worker answered.
//
// Each entry has one completion, and there is room for it before the entry is written: so none is lost, and none of
// Linux's overflow lists is ever used.
#pragma once

#include "genesys/detail/calling.h"
#include "genesys/detail/generated/numbers.h"
#include "genesys/detail/plan.h"

namespace genesys::detail {

constexpr u32 direct_rings_max = 16, direct_descriptors_max = 1u << 16;

// A ring's counters in device memory.
struct alignas(128) direct_gate {
  u64 taken;                   // tickets
  u64 known_head;              // so many entries Linux is known to have read
  u64 reaped;                  // so many completions were handed on
  u32 looking;                 // 1 while a lane reads Linux's own count of entries
  u32 reaping;                 // 1 while lanes hand completions on
  alignas(128) u64 published;  // so many tickets Linux was told of
};

// A ring, as Linux and kernels share it: host memory, of which nothing else may be written.
struct direct_ring {
  u32 *head, *tail;       // of the entries: how many Linux has read, and how many there are
  u32 *seen, *completed;  // of the completions: how many were taken, and how many there are
  u64* entries;           // eight words each
  u64* completions;       // two words each
};

// Device block, constant while a kernel runs, but for the gates, the answers, `closed` and `file`.
struct direct_pool {
  u32 rings;
  u32 entries_log2, completions_log2;  // of each
  u32 closed;                          // 1: no more calls go this way
  u32 cells;
  u64* answer;  // device block, [cells]: {tag : 32 | value : 32}, 0 before it is there
  direct_ring ring[direct_rings_max];
  direct_gate gate[direct_rings_max];
  // What is known of each descriptor: {area::generation : 31 | whether it is a file with positions : 1}.
  u32 file[direct_descriptors_max];
};

// What an entry says, of its first four words; the fifth is user_data, the others are 0.
struct direct_entry {
  u64 words[4];
};

constexpr i64 not_direct = static_cast<i64>(u64{1} << 63);  // the call has to go another way

// What the entry says for one field of it.
template <const call_plan& plan, ring_field ring_call::*field>
GENESYS_KERNEL u64 field_of(const u64 (&args)[args_max]) {
  constexpr ring_field said = plan.ring.*field;
  if constexpr (said.arg < 0) return said.number;
  return args[said.arg < 0 ? 0 : said.arg];
}

// Whether the field leads to memory.
template <const call_plan& plan>
GENESYS_KERNEL constexpr bool leads_to_memory(const ring_field& field) {
  return field.arg >= 0 && is_pointer(plan.args[field.arg]);
}

// The entry of a call with these arguments, as Linux may have them. False: an entry cannot say them, or somebody has to
// look at them first: at addresses beyond the arena and the bounce buffers, which kernels may have mapped and unmapped.
template <const call_plan& plan>
GENESYS_KERNEL bool say_in_entry(const area& a, direct_entry& e, const u64 (&args)[args_max]) {
  constexpr u64 length_max = 0x7ffff000;  // Linux moves no more in one call
  constexpr bool at_position = plan.split;
  const u64 fd = field_of<plan, &ring_call::fd>(args), off = field_of<plan, &ring_call::off>(args);
  const u64 len = field_of<plan, &ring_call::len>(args), flags = field_of<plan, &ring_call::flags>(args);
  if (len > length_max || (at_position && static_cast<i64>(off) < 0)) return false;  // below: its own position
  if constexpr (leads_to_memory<plan>(plan.ring.addr)) {
    const u64 at = field_of<plan, &ring_call::addr>(args);
    if (at < a.arena_begin || at > a.arena_end || len > a.arena_end - at) return false;
  }
  e.words[0] = u64{plan.ring.opcode} | fd << 32;
  e.words[1] = off;
  e.words[2] = field_of<plan, &ring_call::addr>(args);
  e.words[3] = len | flags << 32;
  return true;
}

// R7, by the lanes named, which stand together. Whoever finds others at it goes on at once.
GENESYS_KERNEL void reap(direct_pool& d, u32 at, u32 lanes) {
  const direct_ring& r = d.ring[at];
  const global_atomic<u32> reaping(d.gate[at].reaping);
  const global_atomic<u64> reaped(d.gate[at].reaped);
  const u32 leader = lowest_bit(lanes);
  u64 head = 0;
  u32 count = 0;
  bool ours = false;
  if (lane() == leader && reaping.load(order::relaxed) == 0 && reaping.exchange(1, order::acquire) == 0) {
    ours = true;
    head = reaped.load(order::relaxed);
    // pairs with Linux's io_commit_cqring: the completions are there, and what was read
    count = global_atomic<u32, reach::system>(*r.completed).load(order::acquire) - static_cast<u32>(head);
    if (count > 1u << d.completions_log2) count = 0;  // none of Linux's making
  }
  count = shuffle(lanes, count, leader);
  head = shuffle(lanes, head, leader);
  if (count != 0) {
    const u64 mask = (u64{1} << d.completions_log2) - 1;
    for (u32 i = count_bits(lanes & ((1u << lane()) - 1)); i < count; i += count_bits(lanes)) {
      u64* words = r.completions + 2 * ((head + i) & mask);
      const u64 whose = global_atomic<u64, reach::system>(words[0]).load(order::relaxed);
      const u64 value = global_atomic<u64, reach::system>(words[1]).load(order::relaxed);
      const u32 cell = static_cast<u32>(whose);
      if (cell < d.cells)
        global_atomic<u64>(d.answer[cell]).store(whose >> 32 << 32 | static_cast<u32>(value), order::release);  // R6
    }
    (void)ballot(lanes, true);  // all have read theirs
  }
  if (ours) {
    if (count != 0) {
      // pairs with Linux's reads of it: their places are free
      global_atomic<u32, reach::system>(*r.seen).store(static_cast<u32>(head + count), order::release);
      reaped.store(head + count, order::release);  // pairs with R2
    }
    reaping.store(0, order::release);
  }
}

// Reads how many entries Linux has read, and keeps the most that was seen, for all; one lane at a time.
GENESYS_KERNEL void look_at_entries(direct_pool& d, u32 at) {
  direct_gate& g = d.gate[at];
  const global_atomic<u32> looking(g.looking);
  const global_atomic<u64> known(g.known_head);
  if (looking.load(order::relaxed) != 0 || looking.exchange(1, order::acquire) != 0) return;
  const u64 before = known.load(order::relaxed);
  // pairs with Linux's io_get_sqring, which has copied what it read
  const u32 head = global_atomic<u32, reach::system>(*d.ring[at].head).load(order::acquire);
  known.store(before + (head - static_cast<u32>(before)), order::release);  // pairs with R2
  looking.store(0, order::release);
}

// R2 and R3, by one lane. no_ticket: the runtime has ended.
GENESYS_KERNEL u64 take_entries(const call_path& a, direct_pool& d, u32 at, u32 count) {
  direct_gate& g = d.gate[at];
  const global_atomic<u64> taken(g.taken);
  patience waiting;
  for (;;) {
    u64 first = taken.load(order::relaxed);
    const u64 head = global_atomic<u64>(g.known_head).load(order::acquire);  // pairs with look_at_entries
    const u64 reaped = global_atomic<u64>(g.reaped).load(order::acquire);    // pairs with R7
    const auto fits = [&](u64 since, u32 log2) { return static_cast<i64>(first + count - since) <= i64{1} << log2; };
    while (fits(head, d.entries_log2) && fits(reaped, d.completions_log2)) {
      if (taken.compare_exchange(first, first + count, order::relaxed)) return first;
    }
    if (!fits(head, d.entries_log2)) look_at_entries(d, at);
    reap(d, at, 1u << lane());
    if (!waiting.wait(a)) return no_ticket;
  }
}

// R5, by one lane, for `count` entries that are written. False: the runtime has ended.
GENESYS_KERNEL bool tell_linux(const call_path& a, direct_pool& d, u32 at, u64 first, u32 count) {
  const global_atomic<u64> published(d.gate[at].published);
  patience waiting;
  while (published.load(order::acquire) != first) {  // pairs with the store below: tails are stored in order
    if (!waiting.wait(a)) return false;
  }
  // pairs with Linux's io_sqring_entries: whoever sees the tail sees the entries
  global_atomic<u32, reach::system>(*d.ring[at].tail).store(static_cast<u32>(first + count), order::release);
  published.store(first + count, order::release);
  return true;
}

// R6. The value, or -ECANCELED: the runtime has ended.
GENESYS_KERNEL i64 await_completion(const call_path& a, direct_pool& d, u32 at, u32 cell, u32 tag, u32 lanes,
                                    bool& ended) {
  constexpr int looks_at_once = GENESYS_ON_CUDA ? 8 : 0;
  const global_atomic<u64> answer(d.answer[cell]);
  patience waiting;
  company together(lanes);
  u64 seen = 0;
  bool done = false;
  for (int looks = 0;; ++looks) {
    if (!done) {
      seen = answer.load(order::acquire);  // pairs with R7
      done = seen >> 32 == tag;
    }
    if (together.leaves(done, waiting)) break;
    reap(d, at, together.lanes);
    if (looks < looks_at_once) {
      waiting.look();
      continue;
    }
    ended = !waiting.wait(a);
    if (GENESYS_ON_CUDA) ended = ballot(together.lanes, ended) != 0;  // all leave, or none
    if (ended) break;
  }
  ended = !done;
  return done ? static_cast<i64>(static_cast<std::int32_t>(seen)) : -ECANCELED;
}

// Whether `fd` is a file with positions, so that io_uring makes the call as Linux itself does: what is read of a pipe
// or a socket at a position it takes off the stream. The host is asked once in a generation.
GENESYS_KERNEL bool has_positions(const call_path& a, direct_pool& d, u32 generation, u32 fd) {
  if (fd >= direct_descriptors_max) return false;
  const global_atomic<u32> known(d.file[fd]);
  const u32 seen = known.load(order::relaxed);
  if (seen >> 1 == (generation & (~0u >> 1)) && seen != 0) return (seen & 1) != 0;
  request r{};
  r.args[0] = fd;
  r.number = internal_file;
  const i64 said = transact(a, r).value;
  if (said < 0) return false;
  known.store(generation << 1 | static_cast<u32>(said & 1), order::relaxed);
  return said == 1;
}

// Before a descriptor is closed, and after it: the number may become another file's.
GENESYS_KERNEL void forget_file(direct_pool& d, u64 fd) {
  if (static_cast<u32>(fd) < direct_descriptors_max)
    global_atomic<u32>(d.file[static_cast<u32>(fd)]).store(0, order::relaxed);
}
// The same for whatever a call with this number closes, if any.
GENESYS_KERNEL void forget_closed(const area& a, u32 number, const u64 (&args)[args_max]) {
  if (a.direct == nullptr) return;
  if (number == number::close) forget_file(*a.direct, args[0]);
  if (number == number::dup2 || number == number::dup3) forget_file(*a.direct, args[1]);
  if (number == number::close_range) {
    const u64 last = args[1] < direct_descriptors_max ? args[1] : direct_descriptors_max - 1;
    for (u64 fd = static_cast<u32>(args[0]); fd <= last; ++fd) forget_file(*a.direct, fd);
  }
}

// The whole way of a call, by whichever lanes stand together. Linux's answer, or not_direct.
GENESYS_KERNEL_OUTLINE inline i64 make_directly(call_path a, direct_pool* pool, u32 generation, direct_entry e) {
  direct_pool& d = *pool;
  if (!has_positions(a, d, generation, static_cast<u32>(e.words[0] >> 32))) return not_direct;
  const u32 lanes = lanes_together(a);
  const u32 leader = lowest_bit(lanes), count = count_bits(lanes);
  u32 at = 0;
  if (lane() == leader) {
    // pairs with mapper::store, in direct_rings::end
    const bool closed = global_atomic<u32, reach::system>(d.closed).load(order::acquire) != 0;
    at = closed ? direct_rings_max : shard_hint() % d.rings;
  }
  at = shuffle(lanes, at, leader);
  if (at == direct_rings_max) return not_direct;
  claimed_cell mine{};
  if (!claim_cells(a, lanes, leader, mine)) return -ECANCELED;
  const u32 cell = mine.group * cells_in_group + lane();
  global_atomic<u64>(d.answer[cell]).store(0, order::relaxed);  // before the entry, by the fence
  u64 first = 0;
  if (lane() == leader) first = take_entries(a, d, at, count);
  first = shuffle(lanes, first, leader);
  if (first == no_ticket) return -ECANCELED;  // the end: cells need not be given back
  const u64 ticket = first + count_bits(lanes & ((1u << lane()) - 1));
  const u32 tag = static_cast<u32>(ticket) | 1u << 31;  // never 0
  u64* words = d.ring[at].entries + 8 * (ticket & ((u64{1} << d.entries_log2) - 1));
  const u64 all[8] = {e.words[0], e.words[1], e.words[2], e.words[3], u64{tag} << 32 | cell, 0, 0, 0};
  for (int i = 0; i < 8; i += 2) {
#if GENESYS_ON_CUDA
    cuda_target::store_pair_system(words + i, all[i], all[i + 1]);
#else
    for (int k = i; k < i + 2; ++k) global_atomic<u64, reach::system>(words[k]).store(all[k], order::relaxed);
#endif
  }
  fence<reach::system>();     // pairs with Linux's io_sqring_entries, by the tail's store
  (void)ballot(lanes, true);  // all have written theirs
  bool told = true;
  if (lane() == leader) told = tell_linux(a, d, at, first, count);
  if (shuffle(lanes, told ? 1u : 0u, leader) == 0) return -ECANCELED;
  bool ended = false;
  const i64 value = await_completion(a, d, at, cell, tag, lanes, ended);
  if (!ended) release_unused_cell(a, cell);  // R8
  return value;
}

}  // namespace genesys::detail
