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

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/uring/sqe.h"
#include "genesys/detail/wire/shared_rings.h"

namespace genesys::detail::uring {

// A ring as a call knows it: what stays the same is loaded once, early, with whatever else is looked at then.
struct ring_ref {
  ring_state& state;
  const shared_ring ring;
  u64 *const results, *const filled;  // as in shared_ring_table; of this ring's entries alone
  posted_counters* const posted;
  const u32 at, completion_slots;

  GENESYS_KERNEL ring_ref(shared_ring_table& d, shared_ring_shape shape, u32 which)
      : state(d.state[which]),
        ring(d.ring[which]),
        results(d.results),
        filled(d.filled + (u64{which} << shape.entries_log2)),
        posted(d.posted),
        at(which),
        completion_slots(d.completion_slots) {}
};

// How many entries or completions one lane sees to while it holds the lock for that. Not as many as there are, in a
// loop: where lanes have parted, nvcc 13 lets the others of the warp have their turn in each turn of a loop (YIELD),
// and 100,000 callers of their own waited 5 us for each completion.
constexpr u32 at_once = 8;

// A lane's own call, and its answer when it is there.
struct ring_result {
  u32 completion_slot, tag;
  bool done;
  std::int32_t value;
};
constexpr u32 no_completion_slot = ~u32{0};

// Two words of host memory, in no order to each other.
GENESYS_KERNEL void load_pair(const u64* from, u64& first, u64& second) {
#if GENESYS_ON_CUDA
  cuda_target::load_pair_system(from, first, second);
#else
  first = global_atomic<u64, thread_scope::system>(const_cast<u64&>(from[0])).load(order::relaxed);
  second = global_atomic<u64, thread_scope::system>(const_cast<u64&>(from[1])).load(order::relaxed);
#endif
}

// Whether calls of a run are under way.
GENESYS_KERNEL bool is_under_way(posted_counters& of) {
  const u64 finished = global_atomic<u64>(of.finished).load(order::relaxed);
  return finished < global_atomic<u64>(of.begun).load(order::relaxed);
}

// Of completions that a lane hands on, those of posted calls; `end`: all up to there are handed on together.
GENESYS_KERNEL void count_posted(const ring_ref& p, u64 end, const u32 (&completion_slot)[at_once],
                                 const std::int32_t (&value)[at_once]) {
  global_atomic<u64>(p.state.counted).store(end, order::relaxed);  // by all that count the same
  for (u32 k = 0; k < at_once; ++k) {
    if (completion_slot[k] < posted_slots || value[k] >= 0) continue;
    posted_counters& of = p.posted[completion_slot[k] - posted_slots];
    global_atomic<u32>(of.failed).fetch_add(1, order::relaxed);
    if (value[k] == -ECANCELED) global_atomic<u32>(of.canceled).fetch_add(1, order::relaxed);
  }
  fence<thread_scope::device>();
  for (u32 k = 0; k < at_once; ++k) {
    if (completion_slot[k] < posted_slots) continue;  // pairs with shared_rings::look_at_posted
    GENESYS_ASSERT(is_under_way(p.posted[completion_slot[k] - posted_slots]),
                   "rings: a posted call finishes once, after it began");
    global_atomic<u64>(p.posted[completion_slot[k] - posted_slots].finished).fetch_add(1, order::relaxed);
  }
}

// Whether the ring has had so many completions; `handed` of them were handed on.
GENESYS_KERNEL bool is_in_order(const ring_ref& p, u64 delivered, u64 completed) {
  return global_atomic<u64>(p.state.reaped).load(order::relaxed) <= delivered &&
         completed <= global_atomic<u64>(p.state.reserved).load(order::relaxed);
}
// Whether a cell's call has no answer yet.
GENESYS_KERNEL bool is_unanswered(const ring_ref& p, u32 completion_slot) {
  return global_atomic<u64>(p.results[completion_slot]).load(order::relaxed) >> 32 == 0;
}

// R7, by the lanes named, which stand together; whoever finds others at it goes on at once. `mine`: is not stored, but
// taken along. `looks`: how often at most, if there is nothing yet. `for_capacity`: somebody waits for it. How many
// were handed on: whoever took some has no reason to pause, since there may be more.
template <int looks>
GENESYS_KERNEL u32 reap(const ring_ref& p, shared_ring_shape shape, u32 lanes, ring_result& mine, bool for_capacity) {
  const global_atomic<u64> delivered(p.state.delivered);
  const u32 leader = lowest_bit(lanes), step = count_bits(lanes), most = at_once * step;
  u64 head = 0;
  u32 count = 0;
  bool ours = false;
  if (lane() == leader) {
    u64 seen = delivered.load(order::relaxed);
    ours = (seen & 1) == 0 && delivered.compare_exchange(seen, seen | 1, order::acquire);
    if (ours) {
      head = seen >> 1;
      for (int i = 0; i < looks && count == 0; ++i) {
        // pairs with Linux's io_commit_cqring: the completions are there, and what was read
        count =
            global_atomic<u32, thread_scope::system>(*p.ring.completed).load(order::acquire) - static_cast<u32>(head);
      }
      if (count > shape.completions()) count = 0;  // none of Linux's making
    }
  }
  GENESYS_ASSERT(!ours || is_in_order(p, head, head + count), "rings: reaped <= delivered <= completed <= reserved");
  count = from_leader(lanes, count);
  const bool is_all = count <= most;
  if (!is_all) count = most;
  if (count != 0) {
    head = from_leader(lanes, head);
    const u32 first = count_bits(lanes & ((1u << lane()) - 1));
    u64 whose[at_once] = {}, result[at_once] = {};
    for (u32 k = 0; k < at_once; ++k) {
      if (first + k * step < count)
        load_pair(p.ring.completions + 2 * ((head + first + k * step) & (shape.completions() - 1)), whose[k],
                  result[k]);
    }
    u32 completion_slot[at_once];
    std::int32_t value[at_once];
    bool any_posted = false;
    for (u32 k = 0; k < at_once; ++k) {
      completion_slot[k] = static_cast<u32>(whose[k]);
      value[k] = static_cast<std::int32_t>(result[k]);
      const u32 tag = static_cast<u32>(whose[k] >> 32);
      any_posted |= completion_slot[k] >= posted_slots;
      if (first + k * step >= count || completion_slot[k] >= p.completion_slots) continue;
      GENESYS_ASSERT(completion_slot[k] == mine.completion_slot && tag == mine.tag
                         ? !mine.done
                         : is_unanswered(p, completion_slot[k]),
                     "rings: an SQE has one CQE");
      if (completion_slot[k] == mine.completion_slot && tag == mine.tag) {
        mine.done = true;
        mine.value = value[k];
      } else {
        global_atomic<u64>(p.results[completion_slot[k]])
            .store(u64{tag} << 32 | static_cast<u32>(value[k]), queue::handoff_release);  // R6
      }
    }
    if (any_posted) count_posted(p, head + count, completion_slot, value);
    (void)vote(lanes, true);  // all have read theirs
  }
  if (ours) {
    const u64 now = head + count;
    if ((for_capacity && is_all) || (head ^ now) >> (shape.completions_log2 - 2) != 0) {
      // pairs with Linux's reads of it: their places are free
      global_atomic<u32, thread_scope::system>(*p.ring.seen).store(static_cast<u32>(now), order::release);
      global_atomic<u64>(p.state.reaped).store(now, order::release);  // pairs with R2
    }
    delivered.store(now << 1, queue::handoff_release);
  }
  return count;
}

// Reads how many entries Linux has read, and keeps the most that was seen, for all; one lane at a time.
GENESYS_KERNEL void refresh_known_sq_head(const ring_ref& p) {
  const global_atomic<u32> refreshing(p.state.refreshing);
  const global_atomic<u64> known(p.state.known_head);
  if (refreshing.load(order::relaxed) != 0 || refreshing.exchange(1, order::acquire) != 0) return;
  const u64 before = known.load(order::relaxed);
  // pairs with Linux's io_get_sqring, which has copied what it read
  const u32 head = global_atomic<u32, thread_scope::system>(*p.ring.head).load(order::acquire);
  GENESYS_ASSERT(
      before + (head - static_cast<u32>(before)) <= global_atomic<u64>(p.state.reserved).load(order::relaxed),
      "rings: Linux reads SQEs that were written");
  known.store(before + (head - static_cast<u32>(before)), order::release);  // pairs with R2
  refreshing.store(0, order::release);
}

// What was seen of a ring, not long ago.
struct ring_capacity {
  u64 reserved, known_head, reaped;

  GENESYS_KERNEL explicit ring_capacity(ring_state& g)
      : reserved(global_atomic<u64>(g.reserved).load(order::relaxed)),
        known_head(global_atomic<u64>(g.known_head).load(queue::head_order)),  // pairs with refresh_known_sq_head
        reaped(global_atomic<u64>(g.reaped).load(queue::head_order)) {}        // pairs with R7
  GENESYS_KERNEL bool for_entries(shared_ring_shape shape, u32 count) const {
    return static_cast<i64>(reserved + count - known_head) <= static_cast<i64>(shape.entries());
  }
  // `most`: so many completions at a time.
  GENESYS_KERNEL bool for_completions(u64 most, u32 count) const {
    return static_cast<i64>(reserved + count - reaped) <= static_cast<i64>(most);
  }
  // R3 once, if there is room. (Without a branch, for which what the caller asked for before would be waited for.)
  GENESYS_KERNEL bool try_to_take(ring_state& g, shared_ring_shape shape, u32 count, u64 most) {
    const u32 room = u32{for_entries(shape, count)} & u32{for_completions(most, count)};
    u64 found = room != 0 ? reserved : queue::no_sequence;
    const bool took = global_atomic<u64>(g.reserved).compare_exchange(found, reserved + count, order::relaxed);
    reserved = found;
    return took;
  }
  // And until it succeeds, or there is none.
  GENESYS_KERNEL bool take(ring_state& g, shared_ring_shape shape, u32 count, u64 most) {
    while (for_entries(shape, count) && for_completions(most, count)) {
      if (try_to_take(g, shape, count, most)) return true;
    }
    return false;
  }
};

// Whether Linux was told of all entries before `begin`, and of none behind it; those before `end` are taken.
GENESYS_KERNEL bool is_next(const ring_ref& p, u64 begin, u64 end) {
  return global_atomic<u64>(p.state.published).load(order::relaxed) == begin &&
         end <= global_atomic<u64>(p.state.reserved).load(order::relaxed);
}
// Whether an entry has a place, and its completion one.
GENESYS_KERNEL bool has_place(const ring_ref& p, shared_ring_shape shape, u64 ticket) {
  const ring_capacity now(p.state);
  return ticket < now.reserved && static_cast<i64>(ticket - now.known_head) < static_cast<i64>(shape.entries()) &&
         static_cast<i64>(ticket - now.reaped) < static_cast<i64>(shape.completions());
}

// R5 of what is written, by the lanes named, which stand together; whoever finds others at it goes on at once.
GENESYS_KERNEL void publish_sqes(const ring_ref& p, shared_ring_shape shape, u32 lanes) {
  const global_atomic<u32> publishing(p.state.publishing);
  const global_atomic<u64> published(p.state.published);
  const u32 leader = lowest_bit(lanes), step = count_bits(lanes);
  u64 begin = 0;
  bool ours = false;
  if (lane() == leader && publishing.load(order::relaxed) == 0 && publishing.exchange(1, order::acquire) == 0) {
    ours = true;
    begin = published.load(order::acquire);
  }
  if (vote(lanes, ours) == 0) return;
  begin = from_leader(lanes, begin);
  const u64 first = begin + count_bits(lanes & ((1u << lane()) - 1));
  bool is[at_once];
  for (u32 k = 0; k < at_once; ++k) {
    const u64 ticket = first + k * step;
    is[k] = global_atomic<u64>(p.filled[ticket & (shape.entries() - 1)]).load(queue::head_order) == ticket + 1;  // R5
  }
  u64 end = begin;
  for (u32 k = 0; k < at_once; ++k) {
    const u32 missing = lanes & ~vote(lanes, is[k]);
    const u32 before = missing == 0 ? lanes : lanes & ((1u << lowest_bit(missing)) - 1);
    if (end == begin + k * step) end += count_bits(before);
  }
  if (end != begin) {
    fence<thread_scope::system>();  // makes the looks acquires, and pairs with Linux's io_sqring_entries, by the tail's
                                    // store
    (void)vote(lanes, true);        // all have fenced
  }
  if (ours) {
    if (end != begin) {  // (Else another may have published in write_sqes, without the lock.)
      GENESYS_ASSERT(is_next(p, begin, end), "rings: the tail moves in order, over SQEs that are written");
      global_atomic<u32, thread_scope::system>(*p.ring.tail).store(static_cast<u32>(end), queue::handoff_release);
      published.store(end, order::release);  // pairs with others' looks at it: tails are stored in order
    }
    publishing.store(0, order::release);
  }
}

enum class ring_reservation : u32 { ended, full, reserved };  // ended: the runtime has; full: or lost

// R2 and R3, by one lane, after a look. `most`: so many completions at a time. If that is not all, it is not waited for
// room for them: full.
GENESYS_KERNEL ring_reservation reserve_sqes(const queue_context& a, shared_ring_table& d, const ring_ref& p,
                                             shared_ring_shape shape, u32 count, u64 most, ring_capacity& seen) {
  backoff waiting;
  for (bool again = false; !seen.take(p.state, shape, count, most);) {
    const bool full = !seen.for_completions(most, count);
    const bool lost = global_atomic<u32, thread_scope::system>(d.closed).load(order::relaxed) == rings_lost;
    if (lost || (full && again && most < shape.completions())) return ring_reservation::full;
    publish_sqes(p, shape, 1u << lane());
    if (!seen.for_entries(shape, count)) refresh_known_sq_head(p);
    ring_result none{no_completion_slot, 0, false, 0};
    const u32 took = reap<1>(p, shape, 1u << lane(), none, full);
    if (took == 0 && !waiting.wait(a)) return ring_reservation::ended;
    seen = ring_capacity(p.state);
    again = full && took == 0;
  }
  return ring_reservation::reserved;
}

// R4 and R5, by the lanes named, which stand together. `told`: `published`, as the leader has seen it; the fence here
// makes its look an acquire. Whether all before them were published, and so they are.
GENESYS_KERNEL bool write_sqes(const ring_ref& p, shared_ring_shape shape, u32 lanes, u64 first, u64 seen_published,
                               const sqe_fields& e, ring_result& mine) {
  const u32 leader = lowest_bit(lanes);
  const u64 ticket = first + count_bits(lanes & ((1u << lane()) - 1));
  const u64 place = ticket & (shape.entries() - 1);
  mine.tag = tag_of_sequence(p.at, ticket);
  GENESYS_ASSERT(has_place(p, shape, ticket), "rings: an SQE has a place, and its CQE too, before it is written");
  u64* words = p.ring.entries + 8 * place;
  const u64 all[8] = {e.words[0], e.words[1], e.words[2], e.words[3], u64{mine.tag} << 32 | mine.completion_slot,
                      e.words[4], e.words[5], 0};
  for (int i = 0; i < 8; i += 2) {
#if GENESYS_ON_CUDA
    cuda_target::store_pair_system(words + i, all[i], all[i + 1]);
#else
    for (int k = i; k < i + 2; ++k) global_atomic<u64, thread_scope::system>(words[k]).store(all[k], order::relaxed);
#endif
  }
  fence<thread_scope::system>();  // pairs with Linux's io_sqring_entries, by the tail's store
  const global_atomic<u64> published(p.state.published);
  if (lane() == leader && seen_published != first)
    seen_published = published.load(order::acquire);                             // pairs with the stores of it
  const bool ours = from_leader(lanes, seen_published == first ? 1u : 0u) != 0;  // after all have fenced
  if (!ours) {
    global_atomic<u64>(p.filled[place]).store(ticket + 1, order::relaxed);  // released by the fence; publish_sqes's
  } else if (lane() == leader) {
    const u64 end = first + count_bits(lanes);
    GENESYS_ASSERT(is_next(p, first, end), "rings: the tail moves in order, over SQEs that are written");
    global_atomic<u32, thread_scope::system>(*p.ring.tail).store(static_cast<u32>(end), queue::handoff_release);
    published.store(end, order::release);
  }
  return ours;
}

// Whether no answer comes any more, though the runtime has not ended: somebody has written over the ring. The host saw
// it (shared_rings::look); or Linux has read all entries and completed as many, and all were handed on. A lane that has
// looked at its answer, and waited, and looks again if this says so.
GENESYS_KERNEL bool is_lost(shared_ring_table& d, const ring_ref& p, bool seen_published) {
  if (global_atomic<u32, thread_scope::system>(d.closed).load(order::relaxed) == rings_lost) return true;
  if (!seen_published) return false;
  const shared_ring& r = p.ring;
  const auto load = [](u32* word) { return global_atomic<u32, thread_scope::system>(*word).load(order::acquire); };
  const u32 completed = load(r.completed), head = load(r.head), tail = load(r.tail);
  const u64 delivered = global_atomic<u64>(p.state.delivered).load(order::acquire);
  return head == tail && head == completed && (delivered & 1) == 0 && static_cast<u32>(delivered >> 1) == completed;
}

// R6. The value, or -ECANCELED: the runtime has ended, or -EIO: the ring is lost. `p`: the ring of the lane's call; of
// all lanes the same, but with tickets. `last`: the highest ticket of the lanes, if Linux was not told of it yet.
template <bool has_ticket>
GENESYS_KERNEL i64 wait_for_cqe(const queue_context& a, shared_ring_table& d, const ring_ref& p,
                                shared_ring_shape shape, u32 lanes, ring_result& mine, bool seen_published, u64 last) {
  constexpr u32 looks_at_once = 8, lost_looks = 16;  // (the first not on the CPU device)
  constexpr int looks_of_reaper = GENESYS_ON_CUDA ? 4 : 1;
  constexpr u64 lost_after_ns = 20'000'000;
  const global_atomic<u64> results(p.results[mine.completion_slot]), published(p.state.published);
  backoff waiting;
  queue::reconvergence together(lanes);
  bool lost = false;
  for (u32 looks = 0;; ++looks) {
    if (!mine.done) {
      const u64 seen = results.load(order::acquire);  // pairs with R7
      mine.done = has_ticket ? seen >> 32 != 0 : seen >> 32 == mine.tag;
      if (mine.done) mine.value = static_cast<std::int32_t>(seen);
    }
    if (together.may_leave(mine.done, waiting)) return mine.value;
    if (!seen_published) {
      publish_sqes(p, shape, together.lanes);
      seen_published = static_cast<i64>(published.load(order::relaxed) - last) > 0;
      seen_published = vote(together.lanes, seen_published) != 0;
    }
    u32 took;
    if (has_ticket && GENESYS_ON_CUDA) {  // one lane's ring after another's
      const u32 from_there = together.lanes & ~u32{0} << (looks & 31);
      const u32 of_whom = shuffle(together.lanes, p.at, lowest_bit(from_there != 0 ? from_there : together.lanes));
      took = reap<looks_of_reaper>(ring_ref(d, shape, of_whom), shape, together.lanes, mine, false);
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
    lost = vote(together.lanes, !mine.done && is_lost(d, p, seen_published)) != 0;
    if (lost && before) return mine.done ? mine.value : -EIO;  // no look in between has found an answer
  }
}

// The lanes that make a call together.
struct ring_lanes {
  u32 lanes, leader, count;
  bool waits;  // one of the calls at least
  u64 most;    // so many at a time: calls that wait leave half of the room to what they may wait for

  GENESYS_KERNEL ring_lanes(const queue_context& a, shared_ring_shape shape, const sqe_fields& e)
      : lanes(lanes_together(a)),
        leader(lowest_bit(lanes)),
        count(count_bits(lanes)),
        waits(vote(lanes, e.waits) != 0),
        most(shape.completions() >> (waits ? 1 : 0)) {}
  // (There is room for at least twice as many completions.)
  GENESYS_KERNEL bool fits(shared_ring_shape shape) const { return count <= shape.entries(); }
};

// The whole way of a call, by whichever lanes stand together. Linux's answer, or not_submitted.
GENESYS_KERNEL_OUTLINE inline i64 submit_and_wait_by_ring(queue_context a, shared_ring_table* pool,
                                                          shared_ring_shape shape, u32 generation, sqe_fields e) {
  shared_ring_table& d = *pool;
  const ring_ref p(d, shape, queue_hint() % shape.rings);
  ring_capacity seen(p.state);
  if (!can_submit(a, d, generation, e)) return not_submitted;
  const ring_lanes group(a, shape, e);
  if (!group.fits(shape)) return not_submitted;
  const u32 lanes = group.lanes, leader = group.leader, count = group.count;
  const u64 most = group.most;
  u64 old = 0, seen_published = 0;
  ring_reservation how = ring_reservation::reserved;
  if (lane() == leader) {
    const global_atomic<u64> completion_slots(a.claims[queue::home_group(a)]);
    const auto give_back = [&] {
      completion_slots.fetch_and(~u64{lanes & ~static_cast<u32>(old)}, queue::handoff_release);
    };
    old = completion_slots.fetch_or(lanes,
                                    queue::handoff_acquire);  // R1; pairs with C6. These three go out together, too
    const bool at_once = seen.try_to_take(p.state, shape, count, most);
    seen_published = global_atomic<u64>(p.state.published).load(queue::head_order);  // pairs with R5
    if (!at_once && !seen.take(p.state, shape, count, most)) {
      if (group.waits) give_back();  // so that nobody lacks them meanwhile
      how = reserve_sqes(a, d, p, shape, count, most, seen);
      if (group.waits && how == ring_reservation::reserved)
        old = completion_slots.fetch_or(lanes, queue::handoff_acquire);
      if (!group.waits && how == ring_reservation::full) give_back();
    }
  }
  how = static_cast<ring_reservation>(from_leader(lanes, static_cast<u32>(how)));
  if (how == ring_reservation::ended) return -ECANCELED;  // cells need not be given back
  if (how == ring_reservation::full) return not_submitted;
  queue::claimed_slot claimed{};
  if (!queue::finish_claim(a, lanes, leader, queue::home_group(a), old, claimed)) return -ECANCELED;
  ring_result mine{claimed.group * slots_in_group + lane(), 0, false, 0};
  global_atomic<u64>(p.results[mine.completion_slot]).store(0, order::relaxed);  // before the entry, by the fence
  const u64 first = from_leader(lanes, seen.reserved);
  const bool published_now = write_sqes(p, shape, lanes, first, from_leader(lanes, seen_published), e, mine);
  if (!published_now) publish_sqes(p, shape, lanes);
  const i64 value = wait_for_cqe<false>(a, d, p, shape, lanes, mine, published_now, first + count - 1);
  if (value != -ECANCELED || mine.done) queue::release_unused_slot(a, mine.completion_slot);  // R8
  return value;
}

// What the host has to know of a descriptor that Linux gave away without it.
GENESYS_KERNEL_OUTLINE inline void report_descriptor(queue_context a, shared_ring_table* pool, u32 generation, i64 fd) {
  if (fd >= 0) (void)ask_kind(a, *pool, generation, static_cast<u32>(fd), true);
}

// R2 to R5 of a call that is not waited for at once, by whichever lanes stand together. `cell`: a ticket's, or
// slot_of_posted(). False: it has to go another way.
GENESYS_KERNEL_OUTLINE inline bool submit_to_ring(queue_context a, shared_ring_table* pool, shared_ring_shape shape,
                                                  u32 generation, sqe_fields e, u32 completion_slot) {
  shared_ring_table& d = *pool;
  const ring_ref p(d, shape, queue_hint() % shape.rings);
  ring_capacity seen(p.state);
  if (!can_submit(a, d, generation, e)) return false;
  const ring_lanes group(a, shape, e);
  if (!group.fits(shape)) return false;
  const u32 lanes = group.lanes, leader = group.leader, count = group.count;
  const u64 most = group.most;
  const bool has_cell = completion_slot < p.completion_slots;
  if (has_cell)
    global_atomic<u64>(p.results[completion_slot]).store(p.at, order::relaxed);  // before the entry, by the fence
  const u32 posted = count_bits(vote(lanes, !has_cell));
  u64 seen_published = 0;
  ring_reservation how = ring_reservation::reserved;
  if (lane() == leader) {
    const bool at_once = seen.try_to_take(p.state, shape, count, most);
    seen_published = global_atomic<u64>(p.state.published).load(queue::head_order);  // pairs with R5
    if (!at_once) how = reserve_sqes(a, d, p, shape, count, most, seen);
    if (how == ring_reservation::reserved && posted != 0)
      global_atomic<u64>(p.posted[a.run].begun).fetch_add(posted, order::relaxed);
  }
  if (from_leader(lanes, static_cast<u32>(how)) != static_cast<u32>(ring_reservation::reserved)) return false;
  ring_result mine{completion_slot, 0, false, 0};
  const u64 first = from_leader(lanes, seen.reserved), last = first + count - 1;
  bool published_now = write_sqes(p, shape, lanes, first, from_leader(lanes, seen_published), e, mine);
  // Nobody comes back to see to it.
  backoff waiting;
  while (!published_now) {
    publish_sqes(p, shape, lanes);
    published_now = static_cast<i64>(global_atomic<u64>(p.state.published).load(order::relaxed) - last) > 0;
    if (vote(lanes, published_now) != 0) break;
    const bool lost = global_atomic<u32, thread_scope::system>(d.closed).load(order::relaxed) == rings_lost;
    if (vote(lanes, lost || !waiting.wait(a)) != 0) break;
  }
  return true;
}

// R6 of a ticket that goes by a ring. `seen`: its answer word, as it was looked at. Its cell stays.
GENESYS_KERNEL_OUTLINE inline i64 wait_for_ring(queue_context a, shared_ring_table* pool, shared_ring_shape shape,
                                                u32 completion_slot, u64 seen) {
  if (seen >> 32 != 0) return static_cast<std::int32_t>(seen);
  ring_result mine{completion_slot, 0, false, 0};
  const ring_ref p(*pool, shape, static_cast<u32>(seen));
  return wait_for_cqe<true>(a, *pool, p, shape, lanes_together(a), mine, true, 0);
}

}  // namespace genesys::detail::uring
