// SPDX-License-Identifier: Apache-2.0
// Conditions for assertions of this folder that take more than one comparison (wire/protocol.h, I1 to I5). Each holds
// as long as its invariant does. Any lane may call them; only assertions do.
#pragma once

#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

// I1: sequence number `number` is reserved, and a worker has dequeued the slot's last request.
GENESYS_KERNEL bool slot_is_free(const queue_context& a, u32 queue, u64 number) {
  const u64 tail = sequence_of(global_atomic<u64>(a.producers[queue].tail).load(std::memory_order_relaxed));
  const u64 head = global_atomic<u64>(a.producers[queue].known_head).load(std::memory_order_relaxed);
  return number < tail && static_cast<i64>(number - head) < (i64{1} << a.slots_log2);
}

// I2: the words that a request overwrites are older than it, by at most eight generations; the two that each request
// writes, by one.
GENESYS_KERNEL bool slot_is_older(const queue_context& a, u32 queue, u64 number, u32 pairs) {
  const u64* const words = a.slots[(u64{queue} << a.slots_log2) + (number & ((u64{1} << a.slots_log2) - 1))].words;
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

// The phase that a completion slot shows.
GENESYS_KERNEL u32 phase_shown(const queue_context& a, u32 completion_slot) {
  return phase_of(global_atomic<u64, thread_scope::system>(a.completion_slots[completion_slot].word)
                      .load(std::memory_order_relaxed));
}

// I4: the slot was claimed when it was released, and it shows the other phase than its group's word `before` if it was
// completed.
GENESYS_KERNEL bool was_owned(const queue_context& a, u32 completion_slot, u64 before, bool completed) {
  const u32 at = completion_slot % slots_in_group;
  const bool claimed = (before >> at & 1) != 0, other = phase_shown(a, completion_slot) != (before >> (32 + at) & 1);
  return claimed && other == completed;
}

}  // namespace genesys::detail::queue
