// SPDX-License-Identifier: Apache-2.0
// The driver's lock. A thread that submits an urgent instance must not sleep for it, so it spins; what runs under the
// lock takes microseconds. The thread that polls lets others go first.
#pragma once

#include <sched.h>

#include <atomic>

namespace genesys::schedule {

class spin_lock {
 public:
  void lock() {
    (void)lock_unless([] { return false; });
  }
  // Returns false, without the lock, if `holds()` is true before the lock is free.
  template <class function>
  bool lock_unless(function holds) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    bool has_lock = false;
    for (unsigned tries = 0; !holds(); ++tries) {
      if ((has_lock = try_lock())) break;
      if (tries % spins_before_yield == spins_before_yield - 1) {
        ::sched_yield();
      } else {
        __builtin_ia32_pause();
      }
    }
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return has_lock;
  }
  bool try_lock() {
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);  // pairs with unlock
  }
  void unlock() { held_.store(false, std::memory_order_release); }
  bool is_wanted() const { return waiting_.load(std::memory_order_relaxed) != 0; }

 private:
  static constexpr unsigned spins_before_yield = 200;
  std::atomic<bool> held_{false};
  std::atomic<unsigned> waiting_{0};
};

}  // namespace genesys::schedule
