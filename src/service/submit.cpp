// SPDX-License-Identifier: Apache-2.0
// Q1 to Q4: a request is submitted.
#include <cerrno>
#include <chrono>
#include <functional>

#include "service/core.h"

namespace genesys::detail::services {
namespace {

u32 number_of_thread() {
  static std::atomic<u32> next{0};
  thread_local const u32 mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

}  // namespace

long core::submit(u32 row, u32 version, const packed_arguments& with, const service_call& how, call_state& call) {
  if (how.blocks == 0 || how.blocks > request_blocks_max) return -EINVAL;
  if (const long why = why_closed(); why != 0) return why;
  if (!rows_->hold(row, version)) return -ENOENT;
  long why_not = 0;
  const u32 slot = take_slot(how.full, why_not);
  if (slot == free_slots::none) {
    rows_->release(row);
    return why_not;
  }
  use_slot(slot, row, call);

  // Q3. The order matters for J1: a later reservation is after all that this thread has collected.
  const u64 sequence = tail_.fetch_add(1, std::memory_order_acq_rel);
  store_request(sequence, header_of(row, version, with, how, call), with);
  if (call.is_ticket) watch(slot);
  look_at_kernel();
  return 0;
}

// Q2: from here on the request is in flight.
void core::use_slot(u32 slot, u32 row, call_state& call) {
  slot_record& record = records_[slot];
  const u32 use = static_cast<u32>(record.word.load(std::memory_order_relaxed) >> 32) + 1;
  call.slot = slot;
  call.use = use;
  record.call.store(&call, std::memory_order_relaxed);
  record.row.store(row, std::memory_order_relaxed);
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

long core::why_closed() const {
  if (failed_.load(std::memory_order_relaxed)) return -EIO;
  if (ending_.load(std::memory_order_relaxed)) return -ECANCELED;
  return 0;
}

// Q2
u32 core::take_slot(when_full full, long& why_not) {
  const u32 near = number_of_thread();
  u32 slot = free_.take(near);
  if (slot != free_slots::none) return slot;
  if (full == when_full::refuse) {
    why_not = -EAGAIN;
    return slot;
  }
  constexpr auto look_again = std::chrono::milliseconds(10);  // for the end of the server
  ++slot_waiters_;                                            // pairs with finish(): it gives the slot, then looks
  std::unique_lock hold(slot_lock_);
  while ((slot = free_.take(near)) == free_slots::none && (why_not = why_closed()) == 0)
    slot_freed_.wait_for(hold, look_again);
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
