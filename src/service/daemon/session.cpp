// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/session.h"

#include <bit>
#include <cstring>
#include <utility>

#include "schedule/daemon/futex.h"

namespace genesys::detail::serving {

session::session(u64 number, peer whose, descriptor connected, shared_memory ring, memory_of_client memory, u32 slots)
    : id(number),
      who(std::move(whose)),
      socket(std::move(connected)),
      ring_memory_(std::move(ring)),
      memory_(std::move(memory)),
      ring_(ring_memory_.data(), slots),
      records_(slots) {}

session::~session() {
  if (keeps_memory_) memory_.leak();
}

bool session::take_ready(u64 now) {
  for (u32 word = 0; word < ring_.words(); ++word) {
    std::atomic<u64>& bits = ring_.head().ready[word].bits;
    if (bits.load(std::memory_order_relaxed) == 0) continue;
    const u64 taken = bits.exchange(0);  // pairs with C3
    const u32 slots_here = ring_.slots() - word * 64;
    const u64 existing = slots_here >= 64 ? ~u64{0} : (u64{1} << slots_here) - 1;
    if ((taken & (~existing | pending_[word] | in_flight_[word])) != 0) return false;
    pending_[word] |= taken;
    pending_count_ += static_cast<u32>(std::popcount(taken));
    for (u64 left = taken; left != 0; left &= left - 1)
      records_[word * 64 + static_cast<u32>(std::countr_zero(left))].taken_ns = now;
  }
  return true;
}

u32 session::next_pending() const {
  const u32 words = ring_.words(), first = cursor_ / 64;
  for (u32 i = 0; i <= words; ++i) {
    const u32 word = (first + i) % words;
    u64 seen = pending_[word];
    if (i == 0) seen &= ~u64{0} << cursor_ % 64;
    if (seen != 0) return word * 64 + static_cast<u32>(std::countr_zero(seen));
  }
  return 0;
}

ring_request session::copy_request(u32 slot) const {
  u64 words[ring_request_words];
  for (u32 i = 0; i < ring_request_words; ++i)
    words[i] = std::atomic_ref<u64>(ring_.slot(slot).words[i]).load(std::memory_order_relaxed);
  ring_request copied;
  std::memcpy(&copied, words, sizeof copied);
  return copied;
}

void session::begin(u32 slot, request_record begun) {
  pending_[slot / 64] &= ~(u64{1} << slot % 64);
  --pending_count_;
  in_flight_[slot / 64] |= u64{1} << slot % 64;
  ++in_flight_count_;
  bytes_in_flight += begun.bytes_in + begun.bytes_out;
  records_[slot] = std::move(begun);
  cursor_ = (slot + 1) % ring_.slots();
}

void session::end(u32 slot) {
  in_flight_[slot / 64] &= ~(u64{1} << slot % 64);
  --in_flight_count_;
  request_record& ended = records_[slot];
  bytes_in_flight -= ended.bytes_in + ended.bytes_out;
  ended.ticket.reset();
}

void session::complete(u32 slot, u32 use, long result) {
  ring_completion& to = ring_.completion(slot);
  to.word.store(ring_completion_of(use, result));  // pairs with C5
  if (to.sleeps.load() == 0) return;               // pairs with C7
  to.wakes.fetch_add(1);
  schedule::processes::wake_one(&to.wakes);
}

bool session::may_sleep() {
  ring_.head().daemon_sleeps.store(1);  // pairs with C4
  for (u32 word = 0; word < ring_.words(); ++word) {
    if (ring_.head().ready[word].bits.load() != 0) return false;
  }
  return true;
}

void session::awake() { ring_.head().daemon_sleeps.store(0, std::memory_order_relaxed); }

}  // namespace genesys::detail::serving
