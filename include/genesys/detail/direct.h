// SPDX-License-Identifier: Apache-2.0
// Calls that a kernel submits to Linux itself (executor `direct`, docs/direct.md): callers write the entries of an
// io_uring(7) ring and its tail, a thread of Linux's own (IORING_SETUP_SQPOLL) makes the calls, and callers hand the
// completions on among themselves. No thread of the process takes part. (R: the labels of models/direct.pml.)
//
//   R1 claim a cell (C1), and clear its answer.
//   R2 find room: for entries that Linux has not read, and for their completions. Who waits for room reaps (R7).
//   R3 take tickets, if there still is room: taken -> taken + lanes.   R4 write the entries; fence.
//   R5 when all tickets before are published: store the ring's tail, and then `published`. Else mark the entries as
//      written: whoever comes to it, one at a time, does so for the next ones that are, in order.
//   R6 look at the cell's answer, publish (R5) and reap, and look again.
//   R7 one at a time: take the next completions that Linux has written, and store each as the answer of the cell it
//      names.
//      A quarter of the queue later, or when somebody waits for room: tell Linux that they were seen, and then all
//      others that there is room.
//   R8 release the cell. Its phase stays: no worker answered.
//
// Each entry has one completion, and there is room for it before the entry is written: so none is lost, and none of
// Linux's overflow lists is ever used.
//
// A ticket's cell is claimed as for any ticket; its answer word says meanwhile by which ring its call goes, or that it
// goes another way, so that any lane can wait for it (R6). A posted call has no cell: its completion is counted.
#pragma once

#include "genesys/detail/calling.h"
#include "genesys/detail/direct_entry.h"
#include "genesys/detail/direct_pool.h"

namespace genesys::detail {

// A ring as a call knows it: what stays the same is loaded once, early, with whatever else is looked at then.
struct direct_place {
  direct_gate& gate;
  const direct_ring ring;
  u64 *const answer, *const written;  // as in direct_pool; of this ring's entries alone
  direct_posted* const posted;
  const u32 at, cells;

  GENESYS_KERNEL direct_place(direct_pool& d, direct_shape shape, u32 which)
      : gate(d.gate[which]),
        ring(d.ring[which]),
        answer(d.answer),
        written(d.written + (u64{which} << shape.entries_log2)),
        posted(d.posted),
        at(which),
        cells(d.cells) {}
};

// How many entries or completions one lane sees to while it holds the lock for that. Not as many as there are, in a
// loop: where lanes have parted, nvcc 13 lets the others of the warp have their turn in each turn of a loop (YIELD),
// and 100,000 callers of their own waited 5 us for each completion.
constexpr u32 at_once = 8;

// A lane's own call, and its answer when it is there.
struct direct_answer {
  u32 cell, tag;
  bool done;
  std::int32_t value;
};
constexpr u32 no_cell = ~u32{0};

// Two words of host memory, in no order to each other.
GENESYS_KERNEL void load_two(const u64* from, u64& first, u64& second) {
#if GENESYS_ON_CUDA
  cuda_target::load_pair_system(from, first, second);
#else
  first = global_atomic<u64, reach::system>(const_cast<u64&>(from[0])).load(order::relaxed);
  second = global_atomic<u64, reach::system>(const_cast<u64&>(from[1])).load(order::relaxed);
#endif
}

// Of completions that a lane hands on, those of posted calls; `end`: all up to there are handed on together.
GENESYS_KERNEL void count_posted(const direct_place& p, u64 end, const u32 (&cell)[at_once],
                                 const std::int32_t (&value)[at_once]) {
  global_atomic<u64>(p.gate.counted).store(end, order::relaxed);  // by all that count the same
  for (u32 k = 0; k < at_once; ++k) {
    if (cell[k] < posted_cells || value[k] >= 0) continue;
    direct_posted& of = p.posted[cell[k] - posted_cells];
    global_atomic<u32>(of.failed).fetch_add(1, order::relaxed);
    if (value[k] == -ECANCELED) global_atomic<u32>(of.canceled).fetch_add(1, order::relaxed);
  }
  fence<reach::device>();
  for (u32 k = 0; k < at_once; ++k) {
    if (cell[k] < posted_cells) continue;  // pairs with direct_rings::look_at_posted
    global_atomic<u64>(p.posted[cell[k] - posted_cells].finished).fetch_add(1, order::relaxed);
  }
}

// R7, by the lanes named, which stand together; whoever finds others at it goes on at once. `mine`: is not stored, but
// taken along. `looks`: how often at most, if there is nothing yet. `for_room`: somebody waits for it. How many were
// handed on: whoever took some has no reason to pause, since there may be more.
template <int looks>
GENESYS_KERNEL u32 reap(const direct_place& p, direct_shape shape, u32 lanes, direct_answer& mine, bool for_room) {
  const global_atomic<u64> handed(p.gate.handed);
  const u32 leader = lowest_bit(lanes), step = count_bits(lanes), most = at_once * step;
  u64 head = 0;
  u32 count = 0;
  bool ours = false;
  if (lane() == leader) {
    u64 seen = handed.load(order::relaxed);
    ours = (seen & 1) == 0 && handed.compare_exchange(seen, seen | 1, order::acquire);
    if (ours) {
      head = seen >> 1;
      for (int i = 0; i < looks && count == 0; ++i) {
        // pairs with Linux's io_commit_cqring: the completions are there, and what was read
        count = global_atomic<u32, reach::system>(*p.ring.completed).load(order::acquire) - static_cast<u32>(head);
      }
      if (count > shape.completions()) count = 0;  // none of Linux's making
    }
  }
  count = from_leader(lanes, count);
  const bool is_all = count <= most;
  if (!is_all) count = most;
  if (count != 0) {
    head = from_leader(lanes, head);
    const u32 first = count_bits(lanes & ((1u << lane()) - 1));
    u64 whose[at_once] = {}, said[at_once] = {};
    for (u32 k = 0; k < at_once; ++k) {
      if (first + k * step < count)
        load_two(p.ring.completions + 2 * ((head + first + k * step) & (shape.completions() - 1)), whose[k], said[k]);
    }
    u32 cell[at_once];
    std::int32_t value[at_once];
    bool any_posted = false;
    for (u32 k = 0; k < at_once; ++k) {
      cell[k] = static_cast<u32>(whose[k]);
      value[k] = static_cast<std::int32_t>(said[k]);
      const u32 tag = static_cast<u32>(whose[k] >> 32);
      any_posted |= cell[k] >= posted_cells;
      if (first + k * step >= count || cell[k] >= p.cells) continue;
      if (cell[k] == mine.cell && tag == mine.tag) {
        mine.done = true;
        mine.value = value[k];
      } else {
        global_atomic<u64>(p.answer[cell[k]]).store(u64{tag} << 32 | static_cast<u32>(value[k]), handing_on);  // R6
      }
    }
    if (any_posted) count_posted(p, head + count, cell, value);
    (void)vote(lanes, true);  // all have read theirs
  }
  if (ours) {
    const u64 now = head + count;
    if ((for_room && is_all) || (head ^ now) >> (shape.completions_log2 - 2) != 0) {
      // pairs with Linux's reads of it: their places are free
      global_atomic<u32, reach::system>(*p.ring.seen).store(static_cast<u32>(now), order::release);
      global_atomic<u64>(p.gate.reaped).store(now, order::release);  // pairs with R2
    }
    handed.store(now << 1, handing_on);
  }
  return count;
}

// Reads how many entries Linux has read, and keeps the most that was seen, for all; one lane at a time.
GENESYS_KERNEL void look_at_entries(const direct_place& p) {
  const global_atomic<u32> looking(p.gate.looking);
  const global_atomic<u64> known(p.gate.known_head);
  if (looking.load(order::relaxed) != 0 || looking.exchange(1, order::acquire) != 0) return;
  const u64 before = known.load(order::relaxed);
  // pairs with Linux's io_get_sqring, which has copied what it read
  const u32 head = global_atomic<u32, reach::system>(*p.ring.head).load(order::acquire);
  known.store(before + (head - static_cast<u32>(before)), order::release);  // pairs with R2
  looking.store(0, order::release);
}

// What was seen of a ring, not long ago.
struct direct_room {
  u64 taken, known_head, reaped;

  GENESYS_KERNEL explicit direct_room(direct_gate& g)
      : taken(global_atomic<u64>(g.taken).load(order::relaxed)),
        known_head(global_atomic<u64>(g.known_head).load(head_order)),  // pairs with look_at_entries
        reaped(global_atomic<u64>(g.reaped).load(head_order)) {}        // pairs with R7
  GENESYS_KERNEL bool for_entries(direct_shape shape, u32 count) const {
    return static_cast<i64>(taken + count - known_head) <= static_cast<i64>(shape.entries());
  }
  // `most`: so many completions at a time.
  GENESYS_KERNEL bool for_completions(u64 most, u32 count) const {
    return static_cast<i64>(taken + count - reaped) <= static_cast<i64>(most);
  }
  // R3 once, if there is room. (Without a branch, for which what the caller asked for before would be waited for.)
  GENESYS_KERNEL bool try_to_take(direct_gate& g, direct_shape shape, u32 count, u64 most) {
    const u32 room = u32{for_entries(shape, count)} & u32{for_completions(most, count)};
    u64 found = room != 0 ? taken : no_ticket;
    const bool took = global_atomic<u64>(g.taken).compare_exchange(found, taken + count, order::relaxed);
    taken = found;
    return took;
  }
  // And until it succeeds, or there is none.
  GENESYS_KERNEL bool take(direct_gate& g, direct_shape shape, u32 count, u64 most) {
    while (for_entries(shape, count) && for_completions(most, count)) {
      if (try_to_take(g, shape, count, most)) return true;
    }
    return false;
  }
};

// R5 of what is written, by the lanes named, which stand together; whoever finds others at it goes on at once.
GENESYS_KERNEL void tell_linux(const direct_place& p, direct_shape shape, u32 lanes) {
  const global_atomic<u32> telling(p.gate.telling);
  const global_atomic<u64> published(p.gate.published);
  const u32 leader = lowest_bit(lanes), step = count_bits(lanes);
  u64 begin = 0;
  bool ours = false;
  if (lane() == leader && telling.load(order::relaxed) == 0 && telling.exchange(1, order::acquire) == 0) {
    ours = true;
    begin = published.load(order::acquire);
  }
  if (vote(lanes, ours) == 0) return;
  begin = from_leader(lanes, begin);
  const u64 first = begin + count_bits(lanes & ((1u << lane()) - 1));
  bool is[at_once];
  for (u32 k = 0; k < at_once; ++k) {
    const u64 ticket = first + k * step;
    is[k] = global_atomic<u64>(p.written[ticket & (shape.entries() - 1)]).load(head_order) == ticket + 1;  // R5
  }
  u64 end = begin;
  for (u32 k = 0; k < at_once; ++k) {
    const u32 missing = lanes & ~vote(lanes, is[k]);
    const u32 before = missing == 0 ? lanes : lanes & ((1u << lowest_bit(missing)) - 1);
    if (end == begin + k * step) end += count_bits(before);
  }
  if (end != begin) {
    fence<reach::system>();   // makes the looks acquires, and pairs with Linux's io_sqring_entries, by the tail's store
    (void)vote(lanes, true);  // all have fenced
  }
  if (ours) {
    if (end != begin) {
      global_atomic<u32, reach::system>(*p.ring.tail).store(static_cast<u32>(end), handing_on);
      published.store(end, order::release);  // pairs with others' looks at it: tails are stored in order
    }
    telling.store(0, order::release);
  }
}

enum class direct_taking : u32 { ended, full, taken };  // ended: the runtime has; full: or lost

// R2 and R3, by one lane, after a look. `most`: so many completions at a time. If that is not all, it is not waited for
// room for them: full.
GENESYS_KERNEL direct_taking take_entries(const call_path& a, direct_pool& d, const direct_place& p, direct_shape shape,
                                          u32 count, u64 most, direct_room& seen) {
  patience waiting;
  for (bool again = false; !seen.take(p.gate, shape, count, most);) {
    const bool full = !seen.for_completions(most, count);
    const bool lost = global_atomic<u32, reach::system>(d.closed).load(order::relaxed) == direct_lost;
    if (lost || (full && again && most < shape.completions())) return direct_taking::full;
    tell_linux(p, shape, 1u << lane());
    if (!seen.for_entries(shape, count)) look_at_entries(p);
    direct_answer none{no_cell, 0, false, 0};
    const u32 took = reap<1>(p, shape, 1u << lane(), none, full);
    if (took == 0 && !waiting.wait(a)) return direct_taking::ended;
    seen = direct_room(p.gate);
    again = full && took == 0;
  }
  return direct_taking::taken;
}

// R4 and R5, by the lanes named, which stand together. `told`: `published`, as the leader has seen it; the fence here
// makes its look an acquire. Whether all before them were published, and so they are.
GENESYS_KERNEL bool write_entries(const direct_place& p, direct_shape shape, u32 lanes, u64 first, u64 told,
                                  const direct_entry& e, direct_answer& mine) {
  const u32 leader = lowest_bit(lanes);
  const u64 ticket = first + count_bits(lanes & ((1u << lane()) - 1));
  const u64 place = ticket & (shape.entries() - 1);
  mine.tag = tag_of_ticket(p.at, ticket);
  u64* words = p.ring.entries + 8 * place;
  const u64 all[8] = {e.words[0], e.words[1], e.words[2], e.words[3], u64{mine.tag} << 32 | mine.cell,
                      e.words[4], e.words[5], 0};
  for (int i = 0; i < 8; i += 2) {
#if GENESYS_ON_CUDA
    cuda_target::store_pair_system(words + i, all[i], all[i + 1]);
#else
    for (int k = i; k < i + 2; ++k) global_atomic<u64, reach::system>(words[k]).store(all[k], order::relaxed);
#endif
  }
  fence<reach::system>();  // pairs with Linux's io_sqring_entries, by the tail's store
  const global_atomic<u64> published(p.gate.published);
  if (lane() == leader && told != first) told = published.load(order::acquire);  // pairs with the stores of it
  const bool ours = from_leader(lanes, told == first ? 1u : 0u) != 0;            // after all have fenced
  if (!ours) {
    global_atomic<u64>(p.written[place]).store(ticket + 1, order::relaxed);  // released by the fence; tell_linux's
  } else if (lane() == leader) {
    const u64 end = first + count_bits(lanes);
    global_atomic<u32, reach::system>(*p.ring.tail).store(static_cast<u32>(end), handing_on);
    published.store(end, order::release);
  }
  return ours;
}

// Whether no answer comes any more, though the runtime has not ended: somebody has written over the ring. The host saw
// it (direct_rings::look); or Linux has read all entries and completed as many, and all were handed on. A lane that has
// looked at its answer, and waited, and looks again if this says so.
GENESYS_KERNEL bool is_lost(direct_pool& d, const direct_place& p, bool told) {
  if (global_atomic<u32, reach::system>(d.closed).load(order::relaxed) == direct_lost) return true;
  if (!told) return false;
  const direct_ring& r = p.ring;
  const auto load = [](u32* word) { return global_atomic<u32, reach::system>(*word).load(order::acquire); };
  const u32 completed = load(r.completed), head = load(r.head), tail = load(r.tail);
  const u64 handed = global_atomic<u64>(p.gate.handed).load(order::acquire);
  return head == tail && head == completed && (handed & 1) == 0 && static_cast<u32>(handed >> 1) == completed;
}

// R6. The value, or -ECANCELED: the runtime has ended, or -EIO: the ring is lost. `p`: the ring of the lane's call; of
// all lanes the same, but with tickets. `last`: the highest ticket of the lanes, if Linux was not told of it yet.
template <bool has_ticket>
GENESYS_KERNEL i64 await_completion(const call_path& a, direct_pool& d, const direct_place& p, direct_shape shape,
                                    u32 lanes, direct_answer& mine, bool told, u64 last) {
  constexpr u32 looks_at_once = 8, lost_looks = 16;  // (the first not on the CPU device)
  constexpr int looks_of_reaper = GENESYS_ON_CUDA ? 4 : 1;
  constexpr u64 lost_after_ns = 20'000'000;
  const global_atomic<u64> answer(p.answer[mine.cell]), published(p.gate.published);
  patience waiting;
  company together(lanes);
  bool lost = false;
  for (u32 looks = 0;; ++looks) {
    if (!mine.done) {
      const u64 seen = answer.load(order::acquire);  // pairs with R7
      mine.done = has_ticket ? seen >> 32 != 0 : seen >> 32 == mine.tag;
      if (mine.done) mine.value = static_cast<std::int32_t>(seen);
    }
    if (together.leaves(mine.done, waiting)) return mine.value;
    if (!told) {
      tell_linux(p, shape, together.lanes);
      told = static_cast<i64>(published.load(order::relaxed) - last) > 0;
      told = vote(together.lanes, told) != 0;
    }
    u32 took;
    if (has_ticket && GENESYS_ON_CUDA) {  // one lane's ring after another's
      const u32 from_there = together.lanes & ~u32{0} << (looks & 31);
      const u32 of_whom = shuffle(together.lanes, p.at, lowest_bit(from_there != 0 ? from_there : together.lanes));
      took = reap<looks_of_reaper>(direct_place(d, shape, of_whom), shape, together.lanes, mine, false);
    } else {
      took = reap<looks_of_reaper>(p, shape, together.lanes, mine, false);
    }
    if (took != 0 || (GENESYS_ON_CUDA && looks < looks_at_once) || vote(together.lanes, mine.done) != 0) {
      waiting.look();
      continue;
    }
    bool ended = !waiting.wait(a);
    ended = vote(together.lanes, ended) != 0;  // all leave, or none
    if (ended) return mine.done ? mine.value : -ECANCELED;
    if (waiting.waited_ns() < lost_after_ns || looks % lost_looks != 0) continue;
    const bool before = lost;
    lost = vote(together.lanes, !mine.done && is_lost(d, p, told)) != 0;
    if (lost && before) return mine.done ? mine.value : -EIO;  // no look in between has found an answer
  }
}

// The lanes that make a call together.
struct direct_group {
  u32 lanes, leader, count;
  bool waits;  // one of the calls at least
  u64 most;    // so many at a time: calls that wait leave half of the room to what they may wait for

  GENESYS_KERNEL direct_group(const call_path& a, direct_shape shape, const direct_entry& e)
      : lanes(lanes_together(a)),
        leader(lowest_bit(lanes)),
        count(count_bits(lanes)),
        waits(vote(lanes, e.waits) != 0),
        most(shape.completions() >> (waits ? 1 : 0)) {}
  // (There is room for at least twice as many completions.)
  GENESYS_KERNEL bool fits(direct_shape shape) const { return count <= shape.entries(); }
};

// The whole way of a call, by whichever lanes stand together. Linux's answer, or not_direct.
GENESYS_KERNEL_OUTLINE inline i64 make_directly(call_path a, direct_pool* pool, direct_shape shape, u32 generation,
                                                direct_entry e) {
  direct_pool& d = *pool;
  const direct_place p(d, shape, shard_hint() % shape.rings);
  direct_room seen(p.gate);
  if (!has_way(a, d, generation, e)) return not_direct;
  const direct_group group(a, shape, e);
  if (!group.fits(shape)) return not_direct;
  const u32 lanes = group.lanes, leader = group.leader, count = group.count;
  const u64 most = group.most;
  u64 old = 0, told = 0;
  direct_taking how = direct_taking::taken;
  if (lane() == leader) {
    const global_atomic<u64> cells(a.group[own_group(a)]);
    const auto give_back = [&] { cells.fetch_and(~u64{lanes & ~static_cast<u32>(old)}, handing_on); };
    old = cells.fetch_or(lanes, claiming);  // R1; pairs with C6. These three go out together, too
    const bool at_once = seen.try_to_take(p.gate, shape, count, most);
    told = global_atomic<u64>(p.gate.published).load(head_order);  // pairs with R5
    if (!at_once && !seen.take(p.gate, shape, count, most)) {
      if (group.waits) give_back();  // so that nobody lacks them meanwhile
      how = take_entries(a, d, p, shape, count, most, seen);
      if (group.waits && how == direct_taking::taken) old = cells.fetch_or(lanes, claiming);
      if (!group.waits && how == direct_taking::full) give_back();
    }
  }
  how = static_cast<direct_taking>(from_leader(lanes, static_cast<u32>(how)));
  if (how == direct_taking::ended) return -ECANCELED;  // cells need not be given back
  if (how == direct_taking::full) return not_direct;
  claimed_cell claimed{};
  if (!keep_or_claim(a, lanes, leader, own_group(a), old, claimed)) return -ECANCELED;
  direct_answer mine{claimed.group * cells_in_group + lane(), 0, false, 0};
  global_atomic<u64>(p.answer[mine.cell]).store(0, order::relaxed);  // before the entry, by the fence
  const u64 first = from_leader(lanes, seen.taken);
  const bool told_now = write_entries(p, shape, lanes, first, from_leader(lanes, told), e, mine);
  if (!told_now) tell_linux(p, shape, lanes);
  const i64 value = await_completion<false>(a, d, p, shape, lanes, mine, told_now, first + count - 1);
  if (value != -ECANCELED || mine.done) release_unused_cell(a, mine.cell);  // R8
  return value;
}

// What the host has to know of a descriptor that Linux gave away without it.
GENESYS_KERNEL_OUTLINE inline void announce(call_path a, direct_pool* pool, u32 generation, i64 fd) {
  if (fd >= 0) (void)ask_kind(a, *pool, generation, static_cast<u32>(fd), true);
}

// R2 to R5 of a call that is not waited for at once, by whichever lanes stand together. `cell`: a ticket's, or
// cell_of_posted(). False: it has to go another way.
GENESYS_KERNEL_OUTLINE inline bool depart_directly(call_path a, direct_pool* pool, direct_shape shape, u32 generation,
                                                   direct_entry e, u32 cell) {
  direct_pool& d = *pool;
  const direct_place p(d, shape, shard_hint() % shape.rings);
  direct_room seen(p.gate);
  if (!has_way(a, d, generation, e)) return false;
  const direct_group group(a, shape, e);
  if (!group.fits(shape)) return false;
  const u32 lanes = group.lanes, leader = group.leader, count = group.count;
  const u64 most = group.most;
  const bool has_cell = cell < p.cells;
  if (has_cell) global_atomic<u64>(p.answer[cell]).store(p.at, order::relaxed);  // before the entry, by the fence
  const u32 posted = count_bits(vote(lanes, !has_cell));
  u64 told = 0;
  direct_taking how = direct_taking::taken;
  if (lane() == leader) {
    const bool at_once = seen.try_to_take(p.gate, shape, count, most);
    told = global_atomic<u64>(p.gate.published).load(head_order);  // pairs with R5
    if (!at_once) how = take_entries(a, d, p, shape, count, most, seen);
    if (how == direct_taking::taken && posted != 0)
      global_atomic<u64>(p.posted[a.run].begun).fetch_add(posted, order::relaxed);
  }
  if (from_leader(lanes, static_cast<u32>(how)) != static_cast<u32>(direct_taking::taken)) return false;
  direct_answer mine{cell, 0, false, 0};
  const u64 first = from_leader(lanes, seen.taken), last = first + count - 1;
  bool told_now = write_entries(p, shape, lanes, first, from_leader(lanes, told), e, mine);
  // Nobody comes back to see to it.
  patience waiting;
  while (!told_now) {
    tell_linux(p, shape, lanes);
    told_now = static_cast<i64>(global_atomic<u64>(p.gate.published).load(order::relaxed) - last) > 0;
    if (vote(lanes, told_now) != 0) break;
    const bool lost = global_atomic<u32, reach::system>(d.closed).load(order::relaxed) == direct_lost;
    if (vote(lanes, lost || !waiting.wait(a)) != 0) break;
  }
  return true;
}

// R6 of a ticket that goes by a ring. `seen`: its answer word, as it was looked at. Its cell stays.
GENESYS_KERNEL_OUTLINE inline i64 await_directly(call_path a, direct_pool* pool, direct_shape shape, u32 cell,
                                                 u64 seen) {
  if (seen >> 32 != 0) return static_cast<std::int32_t>(seen);
  direct_answer mine{cell, 0, false, 0};
  const direct_place p(*pool, shape, static_cast<u32>(seen));
  return await_completion<true>(a, *pool, p, shape, lanes_together(a), mine, true, 0);
}

}  // namespace genesys::detail
