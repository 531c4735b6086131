// SPDX-License-Identifier: Apache-2.0
// Q1 to Q4: a request is submitted.
#include <cerrno>
#include <chrono>
#include <functional>

#include "service/core.h"
#include "service/thread_number.h"
#include "trace/clock.h"

namespace genesys::detail::services {

long core::submit(u32 row, u32 version, const packed_arguments& with, const service_call& how, call_state& call) {
  if (how.blocks == 0 || how.blocks > request_blocks_max) return -EINVAL;
  if (ending_.load(std::memory_order_relaxed)) return -ECANCELED;
  if (!rows_->hold(row, version)) return -ENOENT;
  const bool has_twin = twin_of(row, how.may_use_twin) != nullptr;
  remember(call, row, how, with, has_twin);
  call.code = rows_->code(row);
  long why_not = choose_path(how, call);
  if (why_not != 0) {
    rows_->release(row);
    return why_not;
  }
  const u32 slot = call.by_choice ? free_slots::none : take_slot(how.full, has_twin, why_not);
  if (slot == free_slots::none && why_not == 0) {
    count_request(call, path::cpu);
    submit_to_twin(call);
    return 0;
  }
  if (slot == free_slots::none) {
    rows_->release(row);
    return why_not;
  }
  count_request(call, call.by_launch ? path::launch : path::gpu);
  use_slot(slot, row, call);
  if (call.by_launch) {
    launch_request(call);
    if (call.is_ticket) watch(slot);
    return 0;
  }

  // Q3. The order matters for J1: a later reservation is after all that this thread has collected.
  const u64 sequence = tail_.fetch_add(1, std::memory_order_acq_rel);
  store_request(sequence, header_of(row, version, with, how, call), with);
  if (call.is_ticket) watch(slot);
  look_at_kernel();
  return 0;
}

// For the twin. A ticket outlives the arguments of its submitter.
void core::remember(call_state& call, u32 row, const service_call& how, const packed_arguments& with, bool has_twin) {
  call.row = row;
  call.blocks = how.blocks;
  call.with = &with;
  call.may_use_twin = how.may_use_twin;
  if (!has_twin || !call.is_ticket) return;
  call.kept = std::make_unique<packed_arguments>(with);
  call.with = call.kept.get();
}

// Q2: from here on the request is in flight.
void core::use_slot(u32 slot, u32 row, call_state& call) {
  slot_record& record = records_[slot];
  const u32 use = static_cast<u32>(record.word.load(std::memory_order_relaxed) >> 32) + 1;
  call.slot = slot;
  call.use = use;
  record.call.store(&call, std::memory_order_relaxed);
  record.row.store(row, std::memory_order_relaxed);
  record.by_launch.store(call.by_launch ? 1 : 0, std::memory_order_relaxed);
  if (call.by_launch) ++launched_now_;
  record.failure.store(0, std::memory_order_relaxed);
  record.word.store(u64{use} << 32 | in_flight, std::memory_order_seq_cst);  // pairs with finish()
}

request_header core::header_of(u32 row, u32 version, const packed_arguments& with, const service_call& how,
                               const call_state& call) {
  return {.row = row,
          .version = version,
          .words = words_for(with.count),
          .quiet = with.quiet ? 1u : 0u,
          .blocks = how.blocks,
          .completion_slot = call.slot,
          .use = call.use & 0xffffu};
}

// Q2. None, and `why_not` is 0: the GPU's side is down, and the twin answers. A request without a twin waits for the
// next child: it has not begun, so nothing is lost.
u32 core::take_slot(when_full full, bool has_twin, long& why_not) {
  const u32 near = number_of_thread();
  const auto is_up = [this] { return gpu_.load(std::memory_order_acquire) == side::up; };
  bool up = is_up();
  u32 slot = up ? free_.take(near) : free_slots::none;
  if (slot != free_slots::none) return slot;
  constexpr auto look_again = std::chrono::milliseconds(10);  // for the end of the server, and for the next child
  const u64 began = now_ns();
  ++slot_waiters_;  // pairs with give_back(): it gives the slot, then looks
  std::unique_lock hold(slot_lock_);
  for (;; slot_freed_.wait_for(hold, look_again)) {
    up = is_up();
    if (up && (slot = free_.take(near)) != free_slots::none) break;
    if (ending_.load(std::memory_order_relaxed)) {
      why_not = -ECANCELED;
    } else if (!up && has_twin) {
      break;
    } else if (!up && !can_come_back()) {
      why_not = -EIO;
    } else if (full == when_full::refuse) {
      why_not = -EAGAIN;
    } else if (!up && chosen_.limit_ms != 0 && now_ns() - began > u64{chosen_.limit_ms} * 1'000'000) {
      why_not = -EIO;
    }
    if (why_not != 0) break;
  }
  --slot_waiters_;
  return slot;
}

// Q4
void core::store_request(u64 sequence, const request_header& header, const packed_arguments& with) {
  request_slot& to = requests_[sequence & ((u64{1} << slots_log2_) - 1)];
  const u64 tag = tag_of(sequence, slots_log2_) << tag_shift;
  const u32 written = is_whole(sequence, slots_log2_) ? slot_words : header.words;
  const auto store = [&](u32 i, u64 payload) {
    // Pairs with dispatcher::load (K1).
    std::atomic_ref<u64>(to.words[i]).store(tag | payload, std::memory_order_release);
  };
  for (u32 i = written; i > header.words; --i) store(i - 1, 0);
  for (u32 i = header.words; i > header_words; --i)
    store(i - 1, pack_arguments(with.words, with.count, i - 1 - header_words));
  store(1, pack_word_1(header));
  store(0, pack_word_0(header));
}

}  // namespace genesys::detail::services
