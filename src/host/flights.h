// SPDX-License-Identifier: Apache-2.0
// Calls whose callers do not wait: how many of each run are under way (tickets and posted calls, counted from before
// they are taken from their ring until they are finished; for drain()), and what became of the posted ones. Any serving
// thread counts, any thread asks.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>

#include "genesys/detail/protocol.h"

namespace genesys::detail {

class flights {
 public:
  // Before the request's ring moves on, so that whoever sees it moved sees this, too.
  void begin(u32 run) { of(run).fetch_add(1, std::memory_order_relaxed); }
  void end(u32 run) { of(run).fetch_sub(1, std::memory_order_release); }  // pairs with under_way
  u32 under_way(u32 run) const { return counts_[run % runs_max].load(std::memory_order_acquire); }

  // A posted call has finished.
  void count_posted(i64 value) {
    posted_.fetch_add(1, std::memory_order_relaxed);
    if (value < 0) failed_.fetch_add(1, std::memory_order_relaxed);
    if (value == -ECANCELED) canceled_.fetch_add(1, std::memory_order_relaxed);
  }
  u64 posted() const { return posted_.load(std::memory_order_relaxed); }
  u64 posted_failed() const { return failed_.load(std::memory_order_relaxed); }      // gave an error
  u64 posted_canceled() const { return canceled_.load(std::memory_order_relaxed); }  // not made: the runtime ended

 private:
  std::atomic<u32>& of(u32 run) { return counts_[run % runs_max]; }
  std::array<std::atomic<u32>, runs_max> counts_{};
  std::atomic<u64> posted_{0}, failed_{0}, canceled_{0};
};

}  // namespace genesys::detail
