// SPDX-License-Identifier: Apache-2.0
// A worker's io_uring(7): the calls that would wait in Linux are under way in it, without a thread each. What the
// worker dequeues from its queues in one round is one submission. Only the worker uses it, except under_way().
//
// Only the worker reaps, so while calls are under way it makes none itself that could wait (see offer in executor.cpp):
// they would wait for it.
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
  // By the worker's thread, before it is confined. Linux holds it to the opcodes of the calls that the policy allows.
  // Throws error(system), bad_alloc.
  explicit worker_ring(const policy& rules);
  ~worker_ring();
  worker_ring(const worker_ring&) = delete;
  worker_ring& operator=(const worker_ring&) = delete;

  // Why there is none on this system; empty: there is.
  static std::string why_not();

  // Begins the call, of which a copy is kept until it has ended; Linux sees it with the next submit(). `args`: as Linux
  // may have them. False: as many as there may be are under way.
  bool begin(const request& call, const uring_call& how, const u64 (&args)[args_max]);
  // Whether `how` can say what the arguments say.
  static bool can_say(const uring_call& how, const u64 (&args)[args_max]);

  bool is_busy() const { return busy_.load(std::memory_order_relaxed); }  // calls are under way; any thread asks
  bool has_new() const { return new_ != 0; }                              // that Linux has not seen yet

  void submit();
  // Ends what Linux has finished: calls f(request, value) for each. Whether there was any.
  template <class F>
  bool reap(F finished) {
    ended some[at_once];
    bool any = false;
    for (u32 count; (count = take_ended(some)) != 0; any = true) {
      for (u32 i = 0; i < count; ++i) finished(some[i].call, some[i].value);
    }
    return any;
  }
  // Sleeps until a call has ended, or somebody rings.
  void wait();
  void wake() const;  // any thread
  // All that are under way end, with -ECANCELED where Linux can still stop them.
  void cancel();

  struct entry {
    request call;
    u64 since_ns;
  };
  // A copy, for reports; any thread.
  std::vector<entry> under_way() const;
  u64 calls_so_far() const { return calls_.load(std::memory_order_relaxed); }
  u64 submissions_so_far() const { return submissions_.load(std::memory_order_relaxed); }

  io_strategy& files() { return files_; }

 private:
  static constexpr u32 at_once = 32;
  struct ended {
    request call;
    i64 value;
  };
  struct slot {
    entry who;
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

  mutable std::mutex lock_;  // of the seats, for reports
  std::vector<slot> entries_;
  u32 free_ = 0;
};

}  // namespace genesys::detail
