// SPDX-License-Identifier: Apache-2.0
// R2 to R5: finds room in a shared ring, writes SQEs and tells Linux of them. Called by lanes that run together.
#pragma once

#include "genesys/detail/uring/encode_sqe.h"
#include "genesys/detail/uring/reap.h"

namespace genesys::detail::uring {

// Loads how many SQEs Linux has read, for all lanes that use the ring. One lane at a time does so.
GENESYS_KERNEL void refresh_known_sq_head(const ring_ref& p) {
  const global_atomic<u32> refreshing(p.state.refreshing);
  const global_atomic<u64> known(p.state.known_head);
  if (refreshing.load(order::relaxed) != 0 || refreshing.exchange(1, order::acquire) != 0) return;
  const u64 before = known.load(order::relaxed);
  // Pairs with Linux's io_get_sqring: Linux has copied the SQEs that it has read.
  const u32 head = global_atomic<u32, thread_scope::system>(*p.ring.head).load(order::acquire);
  const u64 now = before + (head - static_cast<u32>(before));
  GENESYS_ASSERT(now <= global_atomic<u64>(p.state.reserved).load(order::relaxed),
                 "rings: Linux reads SQEs that were written");
  known.store(now, order::release);  // pairs with R2
  refreshing.store(0, order::release);
}

// The end of the SQEs that are written without a gap from `begin` on, as the lanes see it together.
GENESYS_KERNEL u64 end_of_written(const ring_ref& p, shared_ring_shape shape, u32 lanes, u64 begin) {
  const u32 step = count_bits(lanes);
  const u64 first = begin + count_bits(lanes & ((1u << lane()) - 1));
  bool is_written[at_once];
  for (u32 k = 0; k < at_once; ++k) {
    const u64 sequence = first + k * step;
    const global_atomic<u64> filled(p.filled[sequence & (shape.sq_entries() - 1)]);
    is_written[k] = filled.load(queue::head_order) == sequence + 1;  // R5
  }
  u64 end = begin;
  for (u32 k = 0; k < at_once; ++k) {
    const u32 missing = lanes & ~vote(lanes, is_written[k]);
    const u32 before = missing == 0 ? lanes : lanes & ((1u << lowest_bit(missing)) - 1);
    if (end == begin + k * step) end += count_bits(before);
  }
  return end;
}

// R5 for SQEs that other lanes have written. Returns at once if other lanes do so now.
GENESYS_KERNEL void publish_sqes(const ring_ref& p, shared_ring_shape shape, u32 lanes) {
  const global_atomic<u32> publishing(p.state.publishing);
  const global_atomic<u64> published(p.state.published);
  u64 begin = 0;
  bool ours = false;
  if (lane() == lowest_bit(lanes) && publishing.load(order::relaxed) == 0 &&
      publishing.exchange(1, order::acquire) == 0) {
    ours = true;
    begin = published.load(order::acquire);
  }
  if (vote(lanes, ours) == 0) return;
  begin = from_leader(lanes, begin);
  const u64 end = end_of_written(p, shape, lanes, begin);
  if (end != begin) {
    // Makes the loads of `filled` acquires; pairs with Linux's io_sqring_entries, through the store of the tail.
    fence<thread_scope::system>();
    (void)vote(lanes, true);  // all lanes have fenced
  }
  if (ours) {
    if (end != begin) {  // otherwise another lane may have published in write_sqes, without the lock
      GENESYS_ASSERT(is_next(p, begin, end), "rings: the tail moves in order, over SQEs that are written");
      global_atomic<u32, thread_scope::system>(*p.ring.tail).store(static_cast<u32>(end), queue::handoff_release);
      published.store(end, order::release);  // pairs with other lanes' loads of it: tails are stored in order
    }
    publishing.store(0, order::release);
  }
}

enum class ring_reservation : u32 {
  ended,  // the runtime has ended
  full,   // there is no room for a call that may wait, or the ring is lost
  reserved
};

// R2 and R3 by one lane, after its first attempt has failed. `most`: the number of calls that may be in flight. If
// `most` is less than the ring's room, this does not wait for completions but returns `full`.
GENESYS_KERNEL ring_reservation reserve_sqes(const queue_context& a, shared_ring_table& table, const ring_ref& p,
                                             shared_ring_shape shape, u32 count, u64 most, ring_capacity& seen) {
  backoff waiting;
  for (bool again = false; !seen.take(p.state, shape, count, most);) {
    const bool full = !seen.for_cqes(most, count);
    const bool lost = global_atomic<u32, thread_scope::system>(table.closed).load(order::relaxed) == rings_lost;
    if (lost || (full && again && most < shape.cq_entries())) return ring_reservation::full;
    publish_sqes(p, shape, 1u << lane());
    if (!seen.for_sqes(shape, count)) refresh_known_sq_head(p);
    ring_result none{no_completion_slot, 0, false, 0};
    const u32 took = reap<1>(p, shape, 1u << lane(), none, full);
    if (took == 0 && !waiting.wait(a)) return ring_reservation::ended;
    seen = ring_capacity(p.state);
    again = full && took == 0;
  }
  return ring_reservation::reserved;
}

// R4 and R5. `seen_published`: `published` as the leader has loaded it; the fence here makes that load an acquire.
// Returns true if all SQEs before these were published, and so these are.
GENESYS_KERNEL bool write_sqes(const ring_ref& p, shared_ring_shape shape, u32 lanes, u64 first, u64 seen_published,
                               const sqe_fields& e, ring_result& mine) {
  const u32 leader = lowest_bit(lanes);
  const u64 sequence = first + count_bits(lanes & ((1u << lane()) - 1));
  const u64 at = sequence & (shape.sq_entries() - 1);
  mine.tag = tag_of_sequence(p.at, sequence);
  GENESYS_ASSERT(fits_in_ring(p, shape, sequence), "rings: an SQE has a place, and its CQE too, before it is written");
  u64* words = p.ring.sqes + 8 * at;
  const u64 user_data = u64{mine.tag} << 32 | mine.completion_slot;
  const u64 all[8] = {e.words[0], e.words[1], e.words[2], e.words[3], user_data, e.words[4], e.words[5], 0};
  for (int i = 0; i < 8; i += 2) {
#if GENESYS_ON_CUDA
    cuda_target::store_pair_system(words + i, all[i], all[i + 1]);
#else
    for (int k = i; k < i + 2; ++k) global_atomic<u64, thread_scope::system>(words[k]).store(all[k], order::relaxed);
#endif
  }
  fence<thread_scope::system>();  // pairs with Linux's io_sqring_entries, through the store of the tail
  const global_atomic<u64> published(p.state.published);
  if (lane() == leader && seen_published != first)
    seen_published = published.load(order::acquire);                             // pairs with the stores of it
  const bool ours = from_leader(lanes, seen_published == first ? 1u : 0u) != 0;  // after all lanes have fenced
  if (!ours) {
    global_atomic<u64>(p.filled[at]).store(sequence + 1, order::relaxed);  // released by the fence
  } else if (lane() == leader) {
    const u64 end = first + count_bits(lanes);
    GENESYS_ASSERT(is_next(p, first, end), "rings: the tail moves in order, over SQEs that are written");
    global_atomic<u32, thread_scope::system>(*p.ring.tail).store(static_cast<u32>(end), queue::handoff_release);
    published.store(end, order::release);
  }
  return ours;
}

}  // namespace genesys::detail::uring
