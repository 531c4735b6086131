// SPDX-License-Identifier: Apache-2.0
// Calls whose callers do not wait: how many of each run are under way (tickets and posted calls, counted from before
// they are taken from their ring until they are finished; for drain()), and what became of the posted ones. Any serving
// thread counts, any thread asks.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>

#include "execute/shared_rings.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class in_flight_counters {
 public:
  // Before the request's ring moves on, so that whoever sees it moved sees this, too.
  void begin(u32 run) {
    const place at = here();
    add(at, stripes_[at.stripe].begun[run % runs_max], std::memory_order_relaxed);
  }
  // Of a ticket: a full fence as well, which answers.h counts on.
  void end(u32 run) {
    stripes_[here().stripe].ended[run % runs_max].fetch_add(1, std::memory_order_seq_cst);  // pairs with any
  }
  // A posted call has finished.
  void end_posted(u32 run, i64 value) {
    const place at = here();
    stripe& mine = stripes_[at.stripe];
    add(at, mine.posted, std::memory_order_relaxed);
    if (value < 0) add(at, mine.failed, std::memory_order_relaxed);
    if (value == -ECANCELED) add(at, mine.canceled, std::memory_order_relaxed);
    add(at, mine.ended[run % runs_max], std::memory_order_release);  // pairs with any
  }
  // Whether calls of the run are under way. Ends are summed before beginnings: whose end is seen, its beginning is
  // seen, too, so what happens meanwhile can only make the answer yes.
  bool any(u32 run) const {
    u32 ended = 0, begun = 0;
    for (const stripe& one : stripes_) ended += one.ended[run % runs_max].load(std::memory_order_acquire);
    for (const stripe& one : stripes_) begun += one.begun[run % runs_max].load(std::memory_order_acquire);
    return begun != ended;
  }

  // Posted calls that no thread has made.
  void add_posted(const posted_calls& more) {
    stripe& mine = stripes_[shared];
    mine.posted.fetch_add(more.all, std::memory_order_relaxed);
    mine.failed.fetch_add(more.failed, std::memory_order_relaxed);
    mine.canceled.fetch_add(more.canceled, std::memory_order_relaxed);
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
  // The last one is for all threads that found no other free.
  static constexpr u32 stripes = 32, shared = stripes - 1;

  // Which stripe a thread counts in, and whether alone: then nobody else writes there, and an addition is a load and a
  // store. (A locked one costs a posted call 6 ns, and there are three.)
  struct place {
    u32 stripe;
    bool alone;
  };
  class claim {
   public:
    claim() {
      for (u32 taken = taken_.load(std::memory_order_relaxed); ~taken << 1 != 0;) {
        const auto at = static_cast<u32>(std::countr_one(taken));
        if (!taken_.compare_exchange_weak(taken, taken | 1u << at, std::memory_order_acquire)) continue;
        where = {at, true};
        return;
      }
    }
    ~claim() {
      if (where.alone) taken_.fetch_and(~(1u << where.stripe), std::memory_order_release);  // pairs with the next owner
    }
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;
    place where{shared, false};

   private:
    static inline std::atomic<u32> taken_{0};
  };
  static place here() {
    thread_local const claim mine;
    return mine.where;
  }
  template <class T>
  static void add(place at, std::atomic<T>& counter, std::memory_order order) {
    if (at.alone) {
      counter.store(counter.load(std::memory_order_relaxed) + 1, order);
    } else {
      counter.fetch_add(1, order);
    }
  }

  u64 sum(std::atomic<u64> stripe::*counter) const {
    u64 all = 0;
    for (const stripe& one : stripes_) all += (one.*counter).load(std::memory_order_relaxed);
    return all;
  }

  std::array<stripe, stripes> stripes_{};
};

}  // namespace genesys::detail
