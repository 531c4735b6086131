// SPDX-License-Identifier: Apache-2.0
// Native threads, which make the calls of a kernel's callers without genesys. The bench's main thread starts each run
// and waits for its end.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "support/measure.h"

namespace baseline {

// The number of workers of the shared runtime. Call it before the first calls, which may add threads.
inline unsigned workers(measure::bench& all) {
  static const unsigned count = all.runtime().stats().workers;
  return count;
}

// All threads do the same work at the same time; between two runs they sleep.
class native_threads {
 public:
  explicit native_threads(unsigned count) : meet_(count + 1), failed_(0) {
    for (unsigned rank = 0; rank < count; ++rank) {
      all_.emplace_back([this, rank] {
        for (;;) {
          meet_.arrive_and_wait();
          if (!what_) return;
          if (!what_(rank)) failed_.fetch_add(1);
          meet_.arrive_and_wait();
        }
      });
    }
  }
  ~native_threads() {
    what_ = nullptr;
    meet_.arrive_and_wait();
  }
  native_threads(const native_threads&) = delete;
  native_threads& operator=(const native_threads&) = delete;

  unsigned count() const { return static_cast<unsigned>(all_.size()); }
  // Each thread calls `what` with its rank; `what` returns whether all results were right.
  void operator()(std::function<bool(unsigned)> what) {
    what_ = std::move(what);
    meet_.arrive_and_wait();
    meet_.arrive_and_wait();
    if (failed_.load() != 0) throw measure::failure("native calls gave wrong results");
  }

 private:
  std::barrier<> meet_;
  std::function<bool(unsigned)> what_;
  std::atomic<unsigned> failed_;
  std::vector<std::jthread> all_;
};

// Calls getppid natively, `calls` times. Returns whether all results were right.
inline bool ask_natively(unsigned calls) {
  const long parent = ::getppid();
  bool right = true;
  for (unsigned i = 0; i < calls; ++i) right &= ::syscall(SYS_getppid) == parent;
  return right;
}

}  // namespace baseline
