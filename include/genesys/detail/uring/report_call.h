// SPDX-License-Identifier: Apache-2.0
// While a recording is on, tells the host of calls that lanes made through shared rings: no thread of the process sees
// such a call otherwise. Called by each lane that made a call, for itself.
//
// The report is a request to the host (internal_ring_call) with the call's arguments. A blocking call or a ticket has a
// claimed completion slot, which no worker completed: the report uses it, and waits, so that the memory behind the
// arguments stays what it was while the host copies it. The rest of the report is in the slot's extra words:
//   first   {number : 32 | result : 32}
//   second  {ns from submitting until the lane had the result : 32 | the device's clock then : 32}
// A posted call is reported when it is submitted, without a result: the field of the completion slot has its number.
#pragma once

#include "genesys/detail/queue/submit_async.h"
#include "genesys/detail/uring/ring.h"

namespace genesys::detail::uring {

// Whether a recording is on. Each lane loads it early, and needs it late.
GENESYS_KERNEL bool is_recorded(shared_ring_table& table) {
#if GENESYS_WITHOUT_TRACING
  (void)table;
  return false;
#else
  return global_atomic<u32, thread_scope::system>(table.recorded).load(order::relaxed) != 0;
#endif
}

// `r`: the call, with the completion slot that it has claimed. Releases the slot, unless the runtime has ended.
GENESYS_KERNEL void report(const queue_context& a, request& r, i64 value, u64 begun_ns) {
  const u64 seen_ns = clock_ns();
  const u64 took = seen_ns - begun_ns, took_most = ~u32{0};
  completion_extra& more = a.extras[r.completion_slot];
  const auto store = [](u64& word, u64 high, u64 low) {
    global_atomic<u64, thread_scope::system>(word).store(high << 32 | static_cast<u32>(low), order::relaxed);
  };
  store(more.first, r.number, static_cast<u64>(value));
  store(more.second, took < took_most ? took : took_most, seen_ns);
  r.number = internal_ring_call;
  r.phase = queue::next_phase(a, r.completion_slot);
  if (!queue::submit_request(a, r)) return;
  const queue::completion_words seen = queue::wait_for_completion(a, r.completion_slot, r.phase, lanes_together(a));
  if (seen.word != queue::never_completed) (void)queue::take_completion(a, r.completion_slot, seen, false);
}

// A blocking call that is finished.
GENESYS_KERNEL_OUTLINE inline void report_blocking(queue_context a, const request& call, u32 completion_slot, i64 value,
                                                   u64 begun_ns) {
  request r = call;
  r.completion_slot = completion_slot;
  r.mode = wait_mode::blocking;
  report(a, r, value, begun_ns);
}

// A ticket's or a posted call that is submitted.
GENESYS_KERNEL_OUTLINE inline void report_submitted(queue_context a, shared_ring_table* table, const request& call,
                                                    u32 completion_slot, u32 tag, u64 begun_ns) {
  if (completion_slot >= posted_slots) {
    request r = call;
    r.mode = wait_mode::posted;
    r.completion_slot = r.number;
    r.number = internal_ring_call;
    (void)queue::submit_request(a, r);
    return;
  }
  recorded_submission& kept = table->submissions[completion_slot - a.groups * slots_in_group];
  for (int i = 0; i < 6; ++i) kept.args[i] = call.args[i];
  kept.tag = tag;
  kept.head = u32{a.run} << 14 | (call.scope & scope_mask) << 12 | call.number;
  kept.begun_ns = begun_ns;
}

// A ticket's call that is finished. False: its beginning was not recorded, and the slot is not released.
GENESYS_KERNEL_OUTLINE inline bool report_ticket(queue_context a, shared_ring_table* table, u32 completion_slot,
                                                 i64 value) {
  const u64 word = global_atomic<u64>(table->results[completion_slot]).load(order::relaxed);
  const recorded_submission& kept = table->submissions[completion_slot - a.groups * slots_in_group];
  if (word >> 32 == 0 || kept.tag != static_cast<u32>(word >> 32)) return false;
  request r{};
  for (int i = 0; i < 6; ++i) r.args[i] = kept.args[i];
  r.number = kept.head & 0xfffu;
  r.scope = kept.head >> 12 & scope_mask;
  a.run = static_cast<u16>(kept.head >> 14);
  r.completion_slot = completion_slot;
  r.mode = wait_mode::ticket;
  report(a, r, value, kept.begun_ns);
  return true;
}

}  // namespace genesys::detail::uring
