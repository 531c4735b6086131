// SPDX-License-Identifier: Apache-2.0
// A submission queue on the host: its slots, and the epoch that says which worker dequeues (protocol.h, S1 to S4). The
// core owns it. The worker that holds the queue calls dequeue(); others do only while it is left. The monitor calls
// migrate() and repair(), any thread calls pending(). When the workers have stopped, the thread that ends the runtime
// calls migrate() and dequeue().
#pragma once

#include <atomic>
#include <bit>

#include "genesys/detail/wire/protocol.h"
#include "host/dependent_calls.h"
#include "host/in_flight_counters.h"
#include "host/taken_once.h"

namespace genesys::detail {

// S1, S2: reads the request in a slot, if each word that it needs carries the tag. Each word is read once, the last one
// first: while the slot is empty, a look costs one load.
inline bool read_request(request_slot& slot, u64 tag, request& into) {
  const auto word = [&](int i) {
    return std::atomic_ref<u64>(slot.words[i]).load(std::memory_order_acquire);  // pairs with C4
  };
  const auto is_here = [&](u64 w) { return w >> tag_shift == tag; };
  const u64 word_7 = word(7);
  if (!is_here(word_7)) return false;
  const u64 word_6 = word(6);
  if (!is_here(word_6)) return false;
  unpack_head(into, word_6, word_7);
  for (int k = 0; k < 6; k += 2) {
    into.args[k] = into.args[k + 1] = 0;
    if ((pairs_written(into) >> (k / 2) & 1) == 0) continue;
    const u64 first = word(k), second = word(k + 1);
    if (!is_here(first) || !is_here(second)) return false;
    into.args[k] = unpack_argument(k, first, word_6);
    into.args[k + 1] = unpack_argument(k + 1, second, word_6);
  }
  return true;
}

class alignas(64) submission_queue {
 public:
  enum class dequeue_result { empty, taken, lost, deferred };

  void lay_out(const device_context& a, u32 index, in_flight_counters* in_flight = nullptr,
               dependent_calls* dependents = nullptr) {
    in_flight_ = in_flight;
    dependents_ = dependents;
    slots_log2_ = a.slots_log2;
    taken_.lay_out(a.slots_log2);
    slots_ = a.slots + (u64{index} << a.slots_log2);
    published_head_ = &a.published_heads[index].head;
  }

  u32 epoch() const { return epoch_of(cursor_.load(std::memory_order_acquire)); }  // pairs with migrate

  // S1 to S4. With `request`, `into` holds a request that this worker alone has; otherwise its content is undefined.
  // lost: the epoch is over, and another worker holds the queue. deferred: the worker dequeued a dependent, which is
  // held or refused; more requests may follow.
  dequeue_result dequeue(u32 epoch, request& into) {
    u64 cursor = cursor_.load(std::memory_order_acquire);  // S1; pairs with the exchanges below and in migrate
    if (epoch_of(cursor) != epoch) return dequeue_result::lost;
    const u64 head = head_of(cursor);
    if (!read_request(slots_[head & mask()], tag_of(head, slots_log2_), into)) {
      repair_published_head(head);
      return dequeue_result::empty;
    }
    // S2: from here on only `into` counts.
    if (is_dependent(into) && dependents_ != nullptr) [[unlikely]]
      return dequeue_dependent(cursor, into);
    const bool counted = !is_waited_at_once(into.mode) && in_flight_ != nullptr;
    if (counted) in_flight_->begin(into.run);
    // S3: the request is this worker's only if the epoch has not changed.
    if (!cursor_.compare_exchange_strong(cursor, cursor_word(epoch, head + 1), std::memory_order_acq_rel)) {
      if (counted) in_flight_->end(into.run);
      // Another worker dequeued it. The queue is lost only if the epoch changed. (After 4,096 migrations an epoch
      // number returns. A worker that was in one call meanwhile may have that number; then both workers keep the
      // queue.)
      return epoch_of(cursor) == epoch ? dequeue_result::empty : dequeue_result::lost;
    }
    taken_.dequeue(head);
    store_published_head(head + 1);  // S4
    __builtin_prefetch(&slots_[(head + 1) & mask()]);
    return dequeue_result::taken;
  }

  // Whether a whole request is in the queue.
  bool pending() const { return has(1); }
  bool pending(request* next) const { return has(1, next); }

  // Whether the slot of that request is filled; requests before it may still arrive. `copy`: of it, if it is not null.
  bool has(u32 requests, request* copy = nullptr) const {
    const u64 last = head_of(cursor_.load(std::memory_order_acquire)) + requests - 1;
    request ignored;
    return read_request(slots_[last & mask()], tag_of(last, slots_log2_), copy != nullptr ? *copy : ignored);
  }

  // Ends the epoch: from now on only a worker that has the new epoch dequeues. Returns the new epoch.
  u32 migrate() {
    u64 cursor = cursor_.load(std::memory_order_relaxed);
    while (!cursor_.compare_exchange_weak(cursor, cursor_word(epoch_of(cursor) + 1, head_of(cursor)),
                                          std::memory_order_acq_rel)) {
    }
    return epoch_of(cursor + (u64{1} << head_bits));
  }

  // Repairs the published head of a queue whose worker sleeps or is in a call. The repair itself may be stale; the
  // monitor then repairs it at its next look.
  void repair() { repair_published_head(head_of(cursor_.load(std::memory_order_acquire))); }

  // The worker that holds the queue in `epoch` is in a long call, or it sleeps: others may dequeue, until it is back or
  // the queue migrates.
  enum class leave_for { a_long_call, sleep };
  void leave(u32 epoch, leave_for why) { left_.store(left_word(epoch, why), std::memory_order_relaxed); }
  void come_back(u32 epoch, leave_for why) {
    u32 mine = left_word(epoch, why);  // another worker may have left the queue meanwhile
    left_.compare_exchange_strong(mine, 0, std::memory_order_relaxed);
  }
  bool is_left(leave_for why) const {
    const u32 left = left_.load(std::memory_order_relaxed);
    return left != 0 && left == left_word(epoch(), why);
  }

  // A thread that sees a request dequeued sees it counted as in flight, too.
  u64 taken_so_far() const { return head_of(cursor_.load(std::memory_order_acquire)); }  // pairs with S3

 private:
  // S3 and S4 of a dependent.
  [[gnu::noinline]] dequeue_result dequeue_dependent(u64 cursor, request& into) {
    const u32 epoch = epoch_of(cursor);
    const u64 head = head_of(cursor);
    const dependent_calls::seen seen = dependents_->look(into);
    const bool counted = !is_waited_at_once(into.mode) && in_flight_ != nullptr;
    if (counted) in_flight_->begin(into.run);
    if (!cursor_.compare_exchange_strong(cursor, cursor_word(epoch, head + 1), std::memory_order_acq_rel)) {
      if (counted) in_flight_->end(into.run);
      if (seen.what == dependent_calls::verdict::hold) dependents_->forget(seen.key);
      return epoch_of(cursor) == epoch ? dequeue_result::empty : dequeue_result::lost;
    }
    taken_.dequeue(head);
    store_published_head(head + 1);
    if (seen.what == dependent_calls::verdict::make) return dequeue_result::taken;
    if (seen.what == dependent_calls::verdict::hold)
      return dependents_->keep(seen.key) ? dequeue_result::deferred : dequeue_result::taken;
    dependents_->refuse(into);
    return dequeue_result::deferred;
  }

  static constexpr int head_bits = 52;  // 14 years of 10 million requests a second
  static u32 epoch_of(u64 cursor) { return static_cast<u32>(cursor >> head_bits); }
  static u64 head_of(u64 cursor) { return cursor & ((u64{1} << head_bits) - 1); }
  static u64 cursor_word(u32 epoch, u64 head) { return u64{epoch} << head_bits | (head & ((u64{1} << head_bits) - 1)); }
  static u32 left_word(u32 epoch, leave_for why) { return (epoch + 1) << 1 | (why == leave_for::sleep ? 1u : 0u); }
  u64 mask() const { return (u64{1} << slots_log2_) - 1; }

  void store_published_head(u64 head) {
    std::atomic_ref<u64>(*published_head_).store(head, std::memory_order_release);
  }  // pairs with C2
  // A worker that lost the queue between S3 and S4 stores late, and may set the published head back.
  void repair_published_head(u64 head) {
    if (std::atomic_ref<u64>(*published_head_).load(std::memory_order_relaxed) != head) store_published_head(head);
  }

  std::atomic<u64> cursor_{0};
  request_slot* slots_ = nullptr;
  u64* published_head_ = nullptr;
  in_flight_counters* in_flight_ = nullptr;
  dependent_calls* dependents_ = nullptr;
  u32 slots_log2_ = 0;
  [[no_unique_address]] taken_once taken_;
  // left_word() of the epoch in which it is left; 0: it is not. Apart, because workers that have nothing to do look at
  // it.
  alignas(64) std::atomic<u32> left_{0};
};

}  // namespace genesys::detail
