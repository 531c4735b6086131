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
  void begin(u32 run) { mine().begun[run % runs_max].fetch_add(1, std::memory_order_relaxed); }
  // A full fence as well, which answers.h counts on.
  void end(u32 run) { mine().ended[run % runs_max].fetch_add(1, std::memory_order_seq_cst); }  // pairs with any
  // Whether calls of the run are under way. Ends are summed before beginnings: whose end is seen, its beginning is
  // seen, too, so what happens meanwhile can only make the answer yes.
  bool any(u32 run) const {
    u32 ended = 0, begun = 0;
    for (const stripe& one : stripes_) ended += one.ended[run % runs_max].load(std::memory_order_acquire);
    for (const stripe& one : stripes_) begun += one.begun[run % runs_max].load(std::memory_order_acquire);
    return begun != ended;
  }

  // A posted call has finished.
  void count_posted(i64 value) {
    stripe& at = mine();
    at.posted.fetch_add(1, std::memory_order_relaxed);
    if (value < 0) at.failed.fetch_add(1, std::memory_order_relaxed);
    if (value == -ECANCELED) at.canceled.fetch_add(1, std::memory_order_relaxed);
  }
  u64 posted() const { return sum(&stripe::posted); }
  u64 posted_failed() const { return sum(&stripe::failed); }      // gave an error
  u64 posted_canceled() const { return sum(&stripe::canceled); }  // not made: the runtime ended

 private:
  // Threads that count in one place make each other wait: a word for all of them allowed 7 million posted calls a
  // second. A call may begin in one stripe and end in another; only the sums mean something.
  struct alignas(64) stripe {
    std::array<std::atomic<u32>, runs_max> begun{}, ended{};
    std::atomic<u64> posted{0}, failed{0}, canceled{0};
  };
  static constexpr u32 stripes = 32;

  stripe& mine() {
    static std::atomic<u32> threads{0};
    thread_local const u32 at = threads.fetch_add(1, std::memory_order_relaxed) % stripes;
    return stripes_[at];
  }
  u64 sum(std::atomic<u64> stripe::*counter) const {
    u64 all = 0;
    for (const stripe& one : stripes_) all += (one.*counter).load(std::memory_order_relaxed);
    return all;
  }

  std::array<stripe, stripes> stripes_{};
};

}  // namespace genesys::detail
