// SPDX-License-Identifier: Apache-2.0
// Conditions that assertions of the calling side check and that take more than one comparison (protocol.h, I1 to I5).
// Each is true while its invariant holds. Any lane; nothing calls them where assertions are off.
#pragma once

#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

// I1: ticket `number` of a queue was taken, and the slot's last request was taken from it by a worker.
GENESYS_KERNEL bool slot_is_free(const queue_context& a, u32 shard, u64 number) {
  const u64 tail = global_atomic<u64>(a.producers[shard].tail).load(std::memory_order_relaxed);
  const u64 head = global_atomic<u64>(a.producers[shard].known_head).load(std::memory_order_relaxed);
  return number < tail && static_cast<i64>(number - head) < (i64{1} << a.slots_log2);
}

// I2: the words that a request will overwrite are older than it, by at most eight generations; the two that each
// request writes, by one.
GENESYS_KERNEL bool slot_is_older(const queue_context& a, u32 shard, u64 number, u32 pairs) {
  const u64* const words = a.slots[(u64{shard} << a.slots_log2) + (number & ((u64{1} << a.slots_log2) - 1))].words;
  const u64 tag = tag_of(number, a.slots_log2);
  for (u32 i = 0; i < 8; ++i) {
    if (i < 6 && (pairs >> (i / 2) & 1) == 0) continue;
    const u64 word =
        global_atomic<u64, thread_scope::system>(const_cast<u64&>(words[i])).load(std::memory_order_relaxed);
    const u64 age = (tag - (word >> tag_shift)) & ((1u << tag_bits) - 1);
    if (age == 0 || age > (i < 6 ? 8u : 1u)) return false;
  }
  return true;
}

// Which phase a cell shows.
GENESYS_KERNEL u32 phase_shown(const queue_context& a, u32 completion_slot) {
  return phase_of(
      global_atomic<u64, thread_scope::system>(a.completion_slots[completion_slot]).load(std::memory_order_relaxed));
}

// I4: `before` is the word of the cell's group as it was when the cell was given back: the cell was claimed, and shows
// the other phase than the group's if it was answered.
GENESYS_KERNEL bool was_owned(const queue_context& a, u32 completion_slot, u64 before, bool answered) {
  const u32 at = completion_slot % slots_in_group;
  const bool claimed = (before >> at & 1) != 0, other = phase_shown(a, completion_slot) != (before >> (32 + at) & 1);
  return claimed && other == answered;
}

}  // namespace genesys::detail::queue
