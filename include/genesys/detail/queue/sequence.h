// SPDX-License-Identifier: Apache-2.0
// C2 and C3: finds a queue that has room and reserves sequence numbers in it. Called by one lane for all lanes that
// submit together.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/queue/invariants.h"

namespace genesys::detail::queue {

// The memory order of the first load of known_head. On a GPU relaxed is enough: a lane that writes a slot because of
// the value writes after it has the value (I1), and no GPU stores ahead of a branch.
constexpr order head_order = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

// Of an addition to a tail. On the CPU device it sees a mark only after the word that arm() has cleared before; on CUDA
// the driver is between the two.
constexpr order tail_order = GENESYS_ON_CUDA ? order::relaxed : order::acquire;

struct queue_position {
  u64 number;
  u32 queue;
  bool raised = false;  // the reservation raised the interrupt: the host sleeps
};

constexpr u32 no_queue = ~u32{0} >> 1;
constexpr u64 no_sequence = ~u64{0};  // larger than any sequence number in use

// Wakes the interrupt thread (host/interrupt_thread.h).
GENESYS_KERNEL void raise_interrupt(const queue_context& a) {
#if GENESYS_ON_CUDA
  global_atomic<u32, thread_scope::system>(*a.interrupt).store(1, order::relaxed);
#else
  cpu::raise_interrupt(a.interrupt);
#endif
}

// Whether the requests of a whole warp fit. One lane needs as much room as 32, so that single lanes do not overtake
// whole warps.
GENESYS_KERNEL bool has_room(u64 tail, u64 head, u32 slots_log2) {
  return static_cast<i64>(tail + warp_lanes - head) <= (i64{1} << slots_log2);
}

// Loads the published head of a queue over the link, and keeps the highest value for all lanes. One lane at a time does
// so: thousands of lanes that wait for room would keep the worker from the line that it stores.
GENESYS_KERNEL u64 refresh_known_head(const queue_context& a, u32 queue) {
  producer_state& g = a.producers[queue];
  const global_atomic<u32> refreshing(g.refreshing);
  if (refreshing.load(order::relaxed) == 0 && refreshing.exchange(1, order::acquire) == 0) {
    const u64 head =
        global_atomic<u64, thread_scope::system>(a.published_heads[queue].head).load(order::acquire);  // pairs with S4
    GENESYS_ASSERT(head <= sequence_of(global_atomic<u64>(g.tail).load(order::relaxed)),
                   "I5: no more is dequeued than was published");
    global_atomic<u64>(g.known_head).fetch_max(head, order::release);  // pairs with the load below and in C2
    refreshing.store(0, order::release);
  }
  return global_atomic<u64>(g.known_head).load(order::acquire);
}

// Reserves `count` sequence numbers in the first queue from `queue` on that has room, and waits if none has. It
// reserves them in one exchange, and only where there is room. So a lane that holds a number publishes at once, and
// delays no other lane. The first reservation in an armed queue raises the interrupt. `tail`, `head`: what the lane has
// loaded of the queue. `only_here`: in this queue and no other.
GENESYS_KERNEL_OUTLINE inline queue_position reserve_positions(queue_context a, u32 count, u32 queue, u64 tail,
                                                               u64 head, bool only_here = false) {
  backoff waiting;
  for (u32 full_queues = 0;;) {
    const global_atomic<u64> counter(a.producers[queue].tail);
    for (u64 first; has_room(first = sequence_of(tail), head, a.slots_log2);) {
      if (!counter.compare_exchange(tail, first + count, tail_order)) continue;
      if (is_armed(tail)) raise_interrupt(a);
      return {first, queue, is_armed(tail)};
    }
    const u64 refreshed = refresh_known_head(a, queue);
    if (refreshed == head) {
      if (!only_here) queue = queue + 1 == a.queues ? 0 : queue + 1;
      if (only_here || ++full_queues >= a.queues) {
        if (!waiting.wait(a)) return {0, no_queue};
        full_queues = 0;
      }
      tail = global_atomic<u64>(a.producers[queue].tail).load(order::relaxed);
      head = global_atomic<u64>(a.producers[queue].known_head).load(order::acquire);  // pairs with refresh_known_head
    } else {
      head = refreshed;
    }
  }
}

// Waits until the slots up to that of `last` are free, of which the lanes have the numbers.
GENESYS_KERNEL_OUTLINE inline queue_position wait_for_slots(queue_context a, queue_position at, u64 last) {
  backoff waiting;
  while (static_cast<i64>(last - refresh_known_head(a, at.queue)) >= i64{1} << a.slots_log2) {
    if (!waiting.wait(a)) return {0, no_queue};
  }
  return at;
}

// The same as reserve_positions(). Of many leaders that exchange, one succeeds in the time of a look at device memory.
// So a leader adds if the queue has room for many more. If others have taken the room before the addition arrives, it
// has numbers whose slots are not free yet, and waits for those. (Leaders that always add and then wait stop a full
// queue: docs/notes/002-reserving-a-slot.md.) An addition leaves the mark of an armed queue for the next leader that
// exchanges.
GENESYS_KERNEL queue_position reserve_by_adding(const queue_context& a, u32 count, u32 queue, u64 tail, u64 head) {
  constexpr i64 room_for_others = 128;
  const i64 slots = i64{1} << a.slots_log2;
  if (is_armed(tail) || static_cast<i64>(tail + room_for_others - head) > slots)
    return reserve_positions(a, count, queue, tail, head);
  const u64 before = global_atomic<u64>(a.producers[queue].tail).fetch_add(count, tail_order);
  if (is_armed(before)) raise_interrupt(a);
  const queue_position at{sequence_of(before), queue, is_armed(before)};
  const u64 last = at.number + count - 1;
  return static_cast<i64>(last - head) < slots ? at : wait_for_slots(a, at, last);
}

// What an `os` remembers of its last call: the queue, the sequence number after its own, and how many numbers from
// there on had room. A lane that is alone in its queue reserves the next one without a load before. The room stays,
// because a published head only grows (I1); if another lane has called meanwhile, the exchange fails. It is one word,
// so that writes of several lanes leave it whole.
class sequence_hint {
 public:
  GENESYS_KERNEL bool is_known() const { return word_ != 0; }
  GENESYS_KERNEL u32 queue() const { return word_ & queue_max; }
  GENESYS_KERNEL u64 number() const { return word_ >> number_shift; }
  GENESYS_KERNEL bool has_room() const { return (word_ >> capacity_shift & capacity_max) >= warp_lanes; }
  // After a reservation of `count` that had room.
  GENESYS_KERNEL void advance(u32 count) { word_ += (u64{count} << number_shift) - (u64{count} << capacity_shift); }
  GENESYS_KERNEL void store(u32 queue, u64 number, i64 capacity) {
    const u64 known = capacity <= 0 ? 0 : capacity >= capacity_max ? capacity_max : static_cast<u64>(capacity);
    word_ = number << number_shift | known << capacity_shift | queue;
  }

 private:
  // (If sequence numbers ever need more bits, each exchange fails.)
  static constexpr u32 capacity_shift = 10, number_shift = 20;
  static constexpr u32 queue_max = (1u << capacity_shift) - 1,
                       capacity_max = (1u << (number_shift - capacity_shift)) - 1;
  u64 word_ = 0;
};

}  // namespace genesys::detail::queue
