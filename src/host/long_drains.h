// SPDX-License-Identifier: Apache-2.0
// Threads of the program that wait for runs to end, and the one line that stderr gets for each of them that waits long.
// A waiting thread may be asleep in CUDA, so the monitor looks after it. Any thread waits; the monitor looks.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

struct run_state;

class long_drains {
 public:
  // One waiting thread. Allocates nothing.
  class drain {
   public:
    // `what`: the name in the line on stderr.
    drain(long_drains& among, const char* what);
    ~drain();
    drain(const drain&) = delete;
    drain& operator=(const drain&) = delete;
    // The thread now waits for this run, which must live until the next call of wait_for(), or the end. Null: no run.
    void wait_for(run_state* of);
    // The kernels ended. The thread waits for `calls` on the host, and for posted calls in shared rings if `submitted`.
    void wait_for_calls(u64 calls, bool submitted);

   private:
    friend class long_drains;
    long_drains& among_;
    const char* const what_;
    const u64 since_ns_;
    // Guarded by the lock.
    run_state* of_ = nullptr;
    bool warned_ = false;
    drain* next_;
    // Not guarded.
    std::atomic<bool> kernels_ended_{false}, submitted_{false};
    std::atomic<u64> calls_{0};
  };

  // `calls_of`: how many calls of a run are in flight. `begun`: how many calls the runtime has begun. A wait is long
  // when no call has begun for `after_ms`; 0: no line. `report_is`: what lists the calls.
  long_drains(u32 after_ms, const char* report_is, std::function<u64(u32)> calls_of, std::function<u64()> begun)
      : after_ms_(after_ms), report_is_(report_is), calls_of_(std::move(calls_of)), begun_(std::move(begun)) {}

  // The monitor calls this: reports threads that have waited long. Throws bad_alloc.
  void look(u64 now);

 private:
  void say(const drain& one, u64 now) const;

  const u32 after_ms_;
  const char* const report_is_;
  const std::function<u64(u32)> calls_of_;
  const std::function<u64()> begun_;
  std::mutex lock_;
  drain* first_ = nullptr;
  u64 begun_seen_ = 0, quiet_since_ns_ = 0;
};

}  // namespace genesys::detail
