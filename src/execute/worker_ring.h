// SPDX-License-Identifier: Apache-2.0
// A worker's io_uring(7). Calls that would wait in Linux are in flight in it, without a thread each. The calls that the
// worker dequeues in one round are one submission. Only the worker uses it, except for functions that are marked 'any
// thread'.
//
// Only the worker reaps. So while calls are in flight it makes none itself that may wait (ring_offer.cpp): the calls in
// flight would wait for it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "execute/io_strategy.h"
#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/wire/protocol.h"
#include "policy/policy.h"

namespace genesys::detail {

class worker_ring {
 public:
  // Called on the worker's thread, before that is confined. Linux restricts the ring to the opcodes of the calls that
  // the policy allows. Throws error(system), rings_refused, bad_alloc.
  explicit worker_ring(const policy& rules);
  ~worker_ring();
  worker_ring(const worker_ring&) = delete;
  worker_ring& operator=(const worker_ring&) = delete;

  // Why this system has none; empty: it has.
  static std::string why_not();

  // Begins the call, and keeps a copy of it until it ends. Linux sees it at the next submit(). `args`: checked for
  // Linux. False: as many calls as possible are in flight.
  bool begin(const request& call, const uring_call& how, const u64 (&args)[args_max]);
  // Whether io_uring can make the call with these arguments.
  static bool can_say(const uring_call& how, const u64 (&args)[args_max]);

  bool is_busy() const { return busy_.load(std::memory_order_relaxed); }  // calls are in flight; any thread
  bool has_new() const { return new_ != 0; }                              // that Linux has not seen yet

  void submit();
  // Calls finished(request, value, begun_ticks) for each call that Linux has completed. `begun_ticks`: when the worker
  // gave it to the ring. Whether there was any.
  template <class F>
  bool reap(F finished) {
    ended some[at_once];
    bool any = false;
    for (u32 count; (count = take_ended(some)) != 0; any = true) {
      for (u32 i = 0; i < count; ++i) finished(some[i].call, some[i].value, some[i].begun_ticks);
    }
    return any;
  }
  // Sleeps until a call has ended, or until wake().
  void wait();
  void wake() const;  // any thread
  // Ends all calls in flight, with -ECANCELED where Linux can still stop them. False: the ring is full, so not now.
  bool cancel();

  struct entry {
    request call;
    u64 since_ns;
    u64 since_ticks;  // trace/ticks.h
  };
  // A copy of the calls in flight, for reports; any thread.
  std::vector<entry> under_way() const;
  u64 calls_so_far() const { return calls_.load(std::memory_order_relaxed); }
  u64 submissions_so_far() const { return submissions_.load(std::memory_order_relaxed); }

  io_strategy& files() { return files_; }

 private:
  static constexpr u32 at_once = 32;
  struct ended {
    request call;
    i64 value;
    u64 begun_ticks;
  };
  struct slot {
    entry of;
    bool taken = false;
    u32 next = 0;  // the next free one
  };
  struct of_linux;  // liburing's

  u32 take_ended(ended (&into)[at_once]);

  std::unique_ptr<of_linux> linux_;
  own_descriptor wakeup_;
  bool wakeup_armed_ = false;
  u32 new_ = 0, under_way_ = 0;
  std::atomic<bool> busy_{false};
  std::atomic<u64> calls_{0}, submissions_{0};
  io_strategy files_;

  mutable std::mutex lock_;  // guards entries_ and free_, for under_way()
  std::vector<slot> entries_;
  u32 free_ = 0;
};

}  // namespace genesys::detail
