// SPDX-License-Identifier: Apache-2.0
// X2 to X4: another kernel takes the place of the one that runs. Requests are published meanwhile, and wait in their
// slots. Called by the loader, one thread at a time.
#include <algorithm>
#include <chrono>

#include "service/core.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw error(error_code::launch_failed, why); }

}  // namespace

void core::exchange(const kernel_image& image, unsigned drain_ms) {
  if (gpu_.load() != side::up) refuse("the kernel has failed: services are loaded when it runs again");
  u32 launched = 0;
  const u64 stopped = now_ns();
  {
    const std::lock_guard hold(launching_);  // X2
    const bool runs = std::atomic_ref<u32>(words_->gone).load(std::memory_order_acquire) != current_.load();
    wait_until_gone(stopped + u64{drain_ms} * 1'000'000);
    // A GPU loads code only when no kernel runs. If this fails, the next request launches the old kernel.
    const u64 loads = now_ns();
    launcher_->swap(image, drain_ms);
    load_us_.store((now_ns() - loads) / 1000, std::memory_order_relaxed);
    if (runs) launched = launch_swapped();
  }
  if (launched != 0) measure_pause(launched, stopped);
}

// X3. Needs launching_. Throws error: the kernel stays, or has failed.
void core::wait_until_gone(u64 deadline) {
  std::atomic_ref<u64> asked(words_->asked);
  asked.fetch_or(asked_to_stop, std::memory_order_relaxed);
  std::string why;
  for (;;) {
    const progress is = launcher_->look();
    const bool is_gone = std::atomic_ref<u32>(words_->gone).load(std::memory_order_acquire) == current_.load();
    if (gpu_.load() != side::up || closed_ || ending_.load()) {
      why = "the kernel has failed, or the server ends";
    } else if (is == progress::ended && is_gone) {
      break;
    } else if (is == progress::unknown || is == progress::ended) {
      why = "the non-stop kernel failed";
      fail(why);
    } else if (now_ns() > deadline) {
      why = "the kernel did not leave in time, because a request still runs: load again, with a longer drain_ms";
    }
    if (!why.empty()) break;
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
  // A kernel that has not left goes on taking requests.
  if (!closed_) asked.fetch_and(~asked_to_stop, std::memory_order_relaxed);
  if (!why.empty()) refuse(why);
}

// X4. Needs launching_. If the device refuses the new kernel, the old one comes back, and it throws.
u32 core::launch_swapped() {
  try {
    return launch_one();
  } catch (const error&) {
    launcher_->swap_back();
    try {
      (void)launch_one();
    } catch (const error& thrown) {
      fail(thrown.what());
    }
    throw;
  }
}

void core::measure_pause(u32 launch, u64 stopped) {
  constexpr u64 limit_ns = 1'000'000'000;
  // Pairs with nothing: only the time matters. A later launch counts, too.
  while (static_cast<int>(std::atomic_ref<u32>(words_->began).load(std::memory_order_relaxed) - launch) < 0) {
    if (gpu_.load() != side::up || now_ns() - stopped > limit_ns) return;
    std::this_thread::yield();
  }
  const u64 us = (now_ns() - stopped) / 1000;
  pause_us_.store(us, std::memory_order_relaxed);
  pause_us_most_.store(std::max(us, pause_us_most_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

}  // namespace genesys::detail::services
