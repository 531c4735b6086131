// SPDX-License-Identifier: Apache-2.0
// The monitor, a thread of the server: attends the requests of threads that sleep, and those of tickets. It sleeps
// while there are none.
#include <pthread.h>

#include <bit>
#include <chrono>

#include "service/core.h"
#include "trace/clock.h"

namespace genesys::detail::services {

// The submitter has the request in flight, and from here on the monitor may collect it.
void core::watch(u32 slot) {
  records_[slot].watched_ns.store(now_ns(), std::memory_order_relaxed);
  watched_count_.fetch_add(1);  // pairs with monitor_sleeps(): it says that it sleeps, then looks
  watched_[slot / 64].fetch_or(u64{1} << slot % 64);
  if (!monitor_asleep_.load()) return;
  { const std::lock_guard hold(monitor_lock_); }
  monitor_woken_.notify_one();
}

void core::unwatch(u32 slot) {
  const u64 bit = u64{1} << slot % 64;
  if ((watched_[slot / 64].load(std::memory_order_relaxed) & bit) == 0) return;
  if ((watched_[slot / 64].fetch_and(~bit) & bit) != 0) watched_count_.fetch_sub(1);
}

void core::monitor() {
  pthread_setname_np(pthread_self(), "genesys-service");
  constexpr u64 failure_look_ns = 10'000'000;
  while (!stopping_.load()) {
    if (watched_count_.load() == 0) {
      monitor_sleeps();
      continue;
    }
    const u64 now = now_ns();
    bool wants_kernel = false;
    for (u32 i = 0; i < (chosen_.slots + 63) / 64; ++i) {
      for (u64 left = watched_[i].load(); left != 0; left &= left - 1)
        wants_kernel |= collect_for_submitter(i * 64 + static_cast<u32>(std::countr_zero(left)), now);
    }
    if (wants_kernel) look_at_kernel();
    if (now - looked_ns_ > failure_look_ns) {
      looked_ns_ = now;
      look_for_failure();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(chosen_.monitor_us));
  }
}

void core::monitor_sleeps() {
  std::unique_lock hold(monitor_lock_);
  monitor_asleep_.store(true);
  if (watched_count_.load() == 0 && !stopping_.load()) monitor_woken_.wait_for(hold, std::chrono::seconds(1));
  monitor_asleep_.store(false);
}

}  // namespace genesys::detail::services
