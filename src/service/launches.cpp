// SPDX-License-Identifier: Apache-2.0
// The launches of the non-stop kernel: it comes back when it has left and a request is in flight (Q5), and the server
// fails when the kernel has.
#include <chrono>
#include <cstdio>

#include "service/core.h"

namespace genesys::detail::services {

// By each thread that attends a request. The line of `gone` changes only when the kernel leaves.
void core::look_at_kernel() {
  // Pairs with dispatcher::leave (K4).
  const u32 gone = std::atomic_ref<u32>(words_->gone).load(std::memory_order_acquire);
  if (gone == current_.load(std::memory_order_relaxed) && gpu_.load(std::memory_order_relaxed) == side::up)
    launch_next();
}

serve_context core::context(u32 launch) {
  return {.requests = requests_,
          .completions = completions_,
          .words = words_,
          .state = state_,
          .shares = shares_,
          .rows = pinned_rows_,
          .loaded = nullptr,
          .idle_ns = u64{chosen_.idle_us} * 1000,
          .stay_ns = u64{chosen_.stay_ms} * 1'000'000,
          .short_ns = u64{chosen_.short_us} * 1000,
          .launch = launch,
          .raisers_ended = raisers_ended(),
          .slots_log2 = slots_log2_};
}

void core::launch_next() {
  const std::unique_lock hold(launching_, std::try_to_lock);
  if (!hold.owns_lock() || closed_ || gpu_.load() != side::up)
    return;  // another thread launches, or looks for a failure
  if (std::atomic_ref<u32>(words_->gone).load(std::memory_order_acquire) != current_.load()) return;
  try {
    (void)launch_one();
  } catch (const error& thrown) {
    fail(thrown.what());
  }
}

// The number of the launch. Needs launching_. Throws error.
u32 core::launch_one() {
  u32 launch = current_.load() + 1;
  if (launch == 0) launch = 1;
  current_.store(launch);
  ++launches_;
  launcher_->launch(shape_, context(launch));
  return launch;
}

// By the monitor. A kernel that ends without saying so has failed, too.
void core::look_for_failure() {
  const std::unique_lock hold(launching_, std::try_to_lock);
  if (!hold.owns_lock() || gpu_.load() != side::up) return;
  const progress is = launcher_->look(), requests = launcher_->look_at_requests();
  const u32 gone = std::atomic_ref<u32>(words_->gone).load(std::memory_order_acquire);
  if (requests == progress::unknown) fail("a launched request failed");
  if (is == progress::unknown) fail("the non-stop kernel failed");
  if (is == progress::ended && gone != current_.load()) fail("the non-stop kernel ended early");
}

// The threads that attend requests answer them, when the GPU's side is lost.
void core::fail(const std::string& why) {
  side expected = side::up;
  if (!gpu_.compare_exchange_strong(expected, is_isolated() ? side::failing : side::lost)) return;
  std::fprintf(stderr, "genesys: services: %s\n", why.c_str());
  if (is_isolated()) wake_supervisor();
}

}  // namespace genesys::detail::services
