// SPDX-License-Identifier: Apache-2.0
// Counts tickets' and posted calls in flight of each run, for drain(): from before a worker dequeues the request until
// the call completes. Also counts how posted calls ended. Each worker has its own counters, and all other threads share
// one set. Any thread reads.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <memory>

#include "execute/shared_rings.h"
#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class in_flight_counters {
 public:
  // `alone_max`: how many threads can have their own counters (options::workers_max).
  explicit in_flight_counters(u32 alone_max)
      : alone_(std::make_unique<std::atomic<stripe*>[]>(alone_max)), alone_max_(alone_max) {}
  ~in_flight_counters() {
    for (u32 i = 0; i < alone_max_; ++i) delete alone_[i].load(std::memory_order_relaxed);
  }
  in_flight_counters(const in_flight_counters&) = delete;
  in_flight_counters& operator=(const in_flight_counters&) = delete;

  // Gives the calling thread its own counters, which need no locked instruction. After `alone_max` threads, the caller
  // keeps using the shared set. The thread must end before this object. Throws bad_alloc.
  void count_alone() {
    auto fresh = std::make_unique<stripe>();
    u32 at = alone_count_.load(std::memory_order_relaxed);
    do {
      if (at == alone_max_) return;
    } while (!alone_count_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed));
    mine_ = {this, fresh.get()};
    alone_[at].store(fresh.release(), std::memory_order_release);  // pairs with each_stripe
  }
  u32 threads_alone() const { return alone_count_.load(std::memory_order_relaxed); }

  // Before the queue's head moves: a thread that sees the new head sees this count, too.
  void begin(u32 run) {
    const stripe_ref at = here();
    add(at, at.in.begun[run % runs_max], std::memory_order_relaxed);
  }
  // For a ticket. Also a full fence, on which completion_writer.h relies.
  void end(u32 run) {
    here().in.ended[run % runs_max].fetch_add(1, std::memory_order_seq_cst);  // pairs with under_way
  }
  // A posted call completed.
  void end_posted(u32 run, i64 value) {
    const stripe_ref at = here();
    add(at, at.in.posted, std::memory_order_relaxed);
    if (value < 0) add(at, at.in.failed, std::memory_order_relaxed);
    if (value == -ECANCELED) add(at, at.in.canceled, std::memory_order_relaxed);
    add(at, at.in.ended[run % runs_max], std::memory_order_release);  // pairs with under_way
  }
  // How many calls of the run are in flight. Ends are summed before beginnings: if a call's end is counted, its
  // beginning is counted, too, also where a thread got its counters meanwhile. Concurrent calls can only make the sum
  // larger.
  u32 under_way(u32 run) const {
    u32 ended = 0, begun = 0;
    each_stripe([&](const stripe& one) { ended += one.ended[run % runs_max].load(std::memory_order_acquire); });
    each_stripe([&](const stripe& one) { begun += one.begun[run % runs_max].load(std::memory_order_acquire); });
    GENESYS_ASSERT(static_cast<std::int32_t>(begun - ended) >= 0, "a call ends once, after it has begun");
    return begun - ended;
  }
  bool any(u32 run) const { return under_way(run) != 0; }

  // Posted calls that no thread of the runtime made.
  void add_posted(const posted_calls& more) {
    together_.posted.fetch_add(more.all, std::memory_order_relaxed);
    together_.failed.fetch_add(more.failed, std::memory_order_relaxed);
    together_.canceled.fetch_add(more.canceled, std::memory_order_relaxed);
  }

  u64 posted() const { return sum(&stripe::posted); }
  u64 posted_failed() const { return sum(&stripe::failed); }      // completed with an error
  u64 posted_canceled() const { return sum(&stripe::canceled); }  // not made: the runtime ended

 private:
  // Threads that share counters slow each other down: one shared word limits posted calls to 7 million a second. A call
  // may begin in one stripe and end in another, so only the sums are meaningful.
  struct alignas(64) stripe {
    std::array<std::atomic<u32>, runs_max> begun{}, ended{};
    std::atomic<u64> posted{0}, failed{0}, canceled{0};
  };

  // Where a thread counts, and whether it is the only writer there: then an addition is a load and a store. (A locked
  // addition costs 6 ns, and a posted call needs three.)
  struct stripe_ref {
    stripe& in;
    bool alone;
  };
  struct own_stripe {
    const in_flight_counters* of;
    stripe* in;
  };
  // A worker belongs to one runtime.
  static inline constinit thread_local own_stripe mine_{nullptr, nullptr};
  stripe_ref here() {
    if (mine_.of == this) [[likely]]
      return {*mine_.in, true};
    return {together_, false};
  }

  template <class T>
  static void add(stripe_ref at, std::atomic<T>& counter, std::memory_order order) {
    if (at.alone) {
      counter.store(counter.load(std::memory_order_relaxed) + 1, order);
    } else {
      counter.fetch_add(1, order);
    }
  }

  template <class F>
  void each_stripe(F visit) const {
    visit(together_);
    const u32 count = alone_count_.load(std::memory_order_relaxed);
    for (u32 i = 0; i < count; ++i) {  // without those of a thread that is just getting them, and has counted nothing
      if (const stripe* const one = alone_[i].load(std::memory_order_acquire)) visit(*one);  // pairs with count_alone
    }
  }
  u64 sum(std::atomic<u64> stripe::*counter) const {
    u64 all = 0;
    each_stripe([&](const stripe& one) { all += (one.*counter).load(std::memory_order_relaxed); });
    return all;
  }

  stripe together_;
  const std::unique_ptr<std::atomic<stripe*>[]> alone_;
  const u32 alone_max_;
  std::atomic<u32> alone_count_{0};
};

}  // namespace genesys::detail
