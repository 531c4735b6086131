// SPDX-License-Identifier: Apache-2.0
// Calls whose descriptor has become ready and whose callers do not wait: the next worker that has time makes them anew.
// Filled by the parking lot, emptied by workers.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

#include "genesys/detail/protocol.h"

namespace genesys::detail {

class ready_calls {
 public:
  // What rings a worker that may be asleep; set before the first push.
  void set_bell(std::function<void()> bell) { bell_ = std::move(bell); }

  void push(const request& call) {
    {
      const std::lock_guard hold(lock_);
      calls_.push_back(call);
      any_.store(true, std::memory_order_seq_cst);  // pairs with any() of a worker that falls asleep
    }
    if (bell_) bell_();
  }
  bool any() const { return any_.load(std::memory_order_seq_cst); }
  bool pop(request& into) {
    const std::lock_guard hold(lock_);
    if (calls_.empty()) return false;
    into = calls_.front();
    calls_.pop_front();
    any_.store(!calls_.empty(), std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex lock_;
  std::deque<request> calls_;
  std::function<void()> bell_;
};

}  // namespace genesys::detail
