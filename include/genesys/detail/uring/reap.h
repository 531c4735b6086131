// SPDX-License-Identifier: Apache-2.0
// R7: takes CQEs from a shared ring and stores each result for the lane that waits for it. One group of lanes at a time
// does so for all lanes that use the ring: lock, read a batch, deliver, release. Called by lanes that run together.
#pragma once

#include "genesys/detail/uring/invariants.h"
#include "genesys/detail/uring/ring.h"

namespace genesys::detail::uring {

// Loads two words of host memory, in no order to each other.
GENESYS_KERNEL void load_pair(const u64* from, u64& first, u64& second) {
#if GENESYS_ON_CUDA
  cuda_target::load_pair_system(from, first, second);
#else
  first = global_atomic<u64, thread_scope::system>(const_cast<u64&>(from[0])).load(order::relaxed);
  second = global_atomic<u64, thread_scope::system>(const_cast<u64&>(from[1])).load(order::relaxed);
#endif
}

// The CQEs that a group of lanes has locked. Lane number k of the group reads CQEs k, k + lanes, k + 2 * lanes, ...
struct cqe_batch {
  u64 head = 0;
  u32 count = 0;
  bool ours = false;   // in the leader: the lock is held
  bool is_all = true;  // the ring had no further CQEs
  u32 lanes;

  GENESYS_KERNEL explicit cqe_batch(u32 group) : lanes(group) {}
  GENESYS_KERNEL u32 first() const { return count_bits(lanes & ((1u << lane()) - 1)); }
  GENESYS_KERNEL u32 step() const { return count_bits(lanes); }
  GENESYS_KERNEL bool has(u32 k) const { return first() + k * step() < count; }
};
struct cqe_values {
  u32 completion_slot[at_once], tag[at_once];
  std::int32_t value[at_once];
};

// Takes the lock if it is free, and looks at most `looks` times for new CQEs.
template <int looks>
GENESYS_KERNEL cqe_batch lock_cqes(const ring_ref& p, shared_ring_shape shape, u32 lanes) {
  cqe_batch b(lanes);
  if (lane() == lowest_bit(lanes)) {
    const global_atomic<u64> delivered(p.state.delivered);
    u64 seen = delivered.load(order::relaxed);
    b.ours = (seen & 1) == 0 && delivered.compare_exchange(seen, seen | 1, order::acquire);
    if (b.ours) {
      b.head = seen >> 1;
      for (int i = 0; i < looks && b.count == 0; ++i) {
        // Pairs with Linux's io_commit_cqring: the CQEs are visible, and so is what the calls wrote.
        const u32 tail = global_atomic<u32, thread_scope::system>(*p.ring.completed).load(order::acquire);
        b.count = tail - static_cast<u32>(b.head);
      }
      if (b.count > shape.cq_entries()) b.count = 0;  // Linux did not write this tail
    }
  }
  GENESYS_ASSERT(!b.ours || is_in_order(p, b.head, b.head + b.count),
                 "rings: reaped <= delivered <= completed <= reserved");
  b.count = from_leader(lanes, b.count);
  const u32 most = at_once * b.step();
  b.is_all = b.count <= most;
  if (!b.is_all) b.count = most;
  if (b.count != 0) b.head = from_leader(lanes, b.head);
  return b;
}

GENESYS_KERNEL cqe_values read_cqes(const ring_ref& p, shared_ring_shape shape, const cqe_batch& b) {
  u64 user_data[at_once] = {}, result[at_once] = {};
  for (u32 k = 0; k < at_once; ++k) {
    const u64 at = (b.head + b.first() + k * b.step()) & (shape.cq_entries() - 1);
    if (b.has(k)) load_pair(p.ring.cqes + 2 * at, user_data[k], result[k]);
  }
  cqe_values all;
  for (u32 k = 0; k < at_once; ++k) {
    all.completion_slot[k] = static_cast<u32>(user_data[k]);
    all.tag[k] = static_cast<u32>(user_data[k] >> 32);
    all.value[k] = static_cast<std::int32_t>(result[k]);
  }
  return all;
}

// Counts the posted calls among CQEs up to `end`.
GENESYS_KERNEL void count_posted(const ring_ref& p, u64 end, const cqe_values& all) {
  global_atomic<u64>(p.state.counted).store(end, order::relaxed);  // each lane stores the same value
  for (u32 k = 0; k < at_once; ++k) {
    if (all.completion_slot[k] < posted_slots || all.value[k] >= 0) continue;
    posted_counters& of = p.posted[all.completion_slot[k] - posted_slots];
    global_atomic<u32>(of.failed).fetch_add(1, order::relaxed);
    if (all.value[k] == -ECANCELED) global_atomic<u32>(of.canceled).fetch_add(1, order::relaxed);
  }
  fence<thread_scope::device>();
  for (u32 k = 0; k < at_once; ++k) {
    if (all.completion_slot[k] < posted_slots) continue;  // pairs with shared_rings::look_at_posted
    GENESYS_ASSERT(is_under_way(p.posted[all.completion_slot[k] - posted_slots]),
                   "rings: a posted call finishes once, after it began");
    global_atomic<u64>(p.posted[all.completion_slot[k] - posted_slots].finished).fetch_add(1, order::relaxed);
  }
}

// Stores each result in its completion slot's word. The result of this lane's own call goes to `mine` instead.
GENESYS_KERNEL void deliver(const ring_ref& p, u32 lanes, const cqe_batch& b, const cqe_values& all,
                            ring_result& mine) {
  bool any_posted = false;
  for (u32 k = 0; k < at_once; ++k) {
    const u32 slot = all.completion_slot[k];
    any_posted |= slot >= posted_slots;
    if (!b.has(k) || slot >= p.completion_slots) continue;
    const bool is_mine = slot == mine.completion_slot && all.tag[k] == mine.tag;
    GENESYS_ASSERT(is_mine ? !mine.done : has_no_result(p, slot), "rings: an SQE has one CQE");
    if (is_mine) {
      mine.done = true;
      mine.value = all.value[k];
    } else {
      const u64 word = u64{all.tag[k]} << 32 | static_cast<u32>(all.value[k]);
      global_atomic<u64>(p.results[slot]).store(word, queue::handoff_release);  // R6
    }
  }
  if (any_posted) count_posted(p, b.head + b.count, all);
  (void)vote(lanes, true);  // all lanes have read their CQEs
}

// Releases the lock. Stores the CQ head, which makes room for Linux, when a quarter of the ring was taken since the
// last store, or when a lane waits for room.
GENESYS_KERNEL void release_cqes(const ring_ref& p, shared_ring_shape shape, const cqe_batch& b, bool for_capacity) {
  if (!b.ours) return;
  const u64 now = b.head + b.count;
  if ((for_capacity && b.is_all) || (b.head ^ now) >> (shape.cq_entries_log2 - 2) != 0) {
    // Pairs with Linux's loads of it: Linux may overwrite the places.
    global_atomic<u32, thread_scope::system>(*p.ring.seen).store(static_cast<u32>(now), order::release);
    global_atomic<u64>(p.state.reaped).store(now, order::release);  // pairs with R2
  }
  global_atomic<u64>(p.state.delivered).store(now << 1, queue::handoff_release);
}

// Delivers a batch, unless other lanes hold the lock. `mine`: this lane's call. `for_capacity`: a lane waits for room.
// Returns how many CQEs it delivered. If that is not 0, there may be more, so the caller looks again without a pause.
template <int looks>
GENESYS_KERNEL u32 reap(const ring_ref& p, shared_ring_shape shape, u32 lanes, ring_result& mine, bool for_capacity) {
  const cqe_batch b = lock_cqes<looks>(p, shape, lanes);
  if (b.count != 0) {
    const cqe_values all = read_cqes(p, shape, b);
    deliver(p, lanes, b, all, mine);
  }
  release_cqes(p, shape, b, for_capacity);
  return b.count;
}

}  // namespace genesys::detail::uring
