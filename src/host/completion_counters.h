// SPDX-License-Identifier: Apache-2.0
// Counters of completed calls, for report() and stats(). Each worker has counters of its own, and all other threads
// share one set. completion_writer::complete() counts; any thread reads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "genesys/detail/table/generated/plans.h"
#include "genesys/detail/wire/protocol.h"
#include "trace/clock.h"
#include "trace/record.h"

namespace genesys::detail {

// The stages of one call, where they were measured (stage_clock.h). dequeued_ns is 0 where they were not: reading the
// clock for each call costs too much.
struct stage_times {
  u64 dequeued_ns = 0;  // on the host's clock
  u64 queued_us = 0;    // from publishing to dequeueing, beyond the fastest request so far, in steps of 1,024 ns
};

// How a call ends.
struct call_end {
  i64 value = 0;           // Linux's result, or -errno
  bool again = false;      // Linux was not asked: the leader waits for the descriptor, and calls again
  bool malformed = false;  // the request is invalid, so no completion slot is known
  u64 inline_data = 0;     // of a call that has it: the first 8 bytes of what Linux wrote
  const unsigned char* inline_rest = nullptr;  // the others (linux_arguments::inline_rest)
  const completion_extra* extra = nullptr;     // goes with the completion
  stage_times times{};
  trace::made_by by = trace::made_by::other;
  const trace::call_times* at = nullptr;  // while a recording is on, if the thread that completes the call made it
};

class completion_counters {
 public:
  static constexpr u32 counted_numbers = 512;
  // Whether the result is a number of bytes, by the call's number.
  static constexpr auto moves_bytes = [] {
    std::array<bool, counted_numbers> all{};
    for (const call_plan& plan : plans) all[plan.number] |= plan.moves_bytes;
    return all;
  }();

  // `alone`: no other thread writes these counters, so that an addition needs no locked instruction.
  template <bool alone>
  void count([[maybe_unused]] const request& r, [[maybe_unused]] const call_end& end) {
#if !GENESYS_WITHOUT_TRACING
    if (end.malformed) return add<alone>(malformed, 1);
    if (end.again || r.number >= internal_resolve) return;  // the call goes on, or is not a kernel's
    if (end.times.dequeued_ns != 0) [[unlikely]]
      count_sample<alone>(end.times);
    const u32 number = std::min(r.number, counted_numbers - 1);
    add<alone>(calls[number], 1);
    if (end.value < 0) {
      add<alone>(errors[number], 1);
    } else if (moves_bytes[number]) {
      add<alone>(bytes[number], static_cast<u64>(end.value));
    }
#endif
  }

  std::uint16_t worker = trace::no_worker;                 // the number of the worker that these belong to
  std::array<std::atomic<u64>, counted_numbers> calls{};   // completed, by number; the last one for all beyond
  std::array<std::atomic<u64>, counted_numbers> errors{};  // of these, those that gave an error
  std::array<std::atomic<u64>, counted_numbers> bytes{};   // what those calls moved whose result is a number of bytes
  std::atomic<u64> malformed{0};
  std::atomic<u64> served_ns{0}, queued_us{0}, samples{0};

 private:
  template <bool alone>
  static void add(std::atomic<u64>& counter, u64 more) {
    if constexpr (alone) {
      counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    } else {
      counter.fetch_add(more, std::memory_order_relaxed);
    }
  }
  template <bool alone>
  [[gnu::noinline]] void count_sample(const stage_times& times) {
    add<alone>(served_ns, now_ns() - times.dequeued_ns);
    add<alone>(queued_us, times.queued_us);
    add<alone>(samples, 1);
  }
};

}  // namespace genesys::detail
