// SPDX-License-Identifier: Apache-2.0
// The end of an instance, for those who wait for it. The driver ends it once; any thread may wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace genesys::schedule {

class completion {
 public:
  bool is_done() const { return state_.load(std::memory_order_acquire) != pending; }  // pairs with end()
  // Returns when the instance is complete. Throws what ended it, if it failed.
  void wait() const {
    // An instance of some microseconds ends before Linux has put the thread to sleep.
    for (unsigned i = 0; i < spins && !is_done(); ++i) __builtin_ia32_pause();
    state_.wait(pending, std::memory_order_acquire);
    if (state_.load(std::memory_order_acquire) == failed) std::rethrow_exception(why_);
  }
  void end(std::exception_ptr why = nullptr) {
    why_ = why;
    state_.store(why == nullptr ? done : failed, std::memory_order_release);
    state_.notify_all();
  }

 private:
  enum state : std::uint32_t { pending, done, failed };
  static constexpr unsigned spins = 500;
  std::atomic<std::uint32_t> state_{pending};
  std::exception_ptr why_;
};

}  // namespace genesys::schedule
