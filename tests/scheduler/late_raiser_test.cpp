// SPDX-License-Identifier: Apache-2.0
// The driver with a resident raiser that never becomes resident, as on a GPU that other processes fill. On the CPU
// device, compiled for it alone.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "schedule/driver/driver.h"

#if GENESYS_WITH_CPU

namespace {
using namespace genesys::schedule;

// The CPU device. Its resident raiser waits for a place until it is asked to leave.
class without_place final : public execution {
 public:
  genesys::detail::device& on() override { return on_->on(); }
  mark launch(const kernel_launch& what, unsigned level, const genesys::detail::aborts::launch_context* abort,
              const genesys::detail::times::block_times* times) override {
    return on_->launch(what, level, abort, times);
  }
  mark copy(void* to, const void* from, std::size_t bytes) override { return on_->copy(to, from, bytes); }
  bool passed(mark at) override {
    if (at != raiser) return on_->passed(at);
    if (std::atomic_ref(words_->stop).load(std::memory_order_relaxed) == 0) return false;
    std::atomic_ref(words_->gone).store(1, std::memory_order_release);
    return true;
  }
  void forget(mark at) override { on_->forget(at); }
  bool has_raiser() const override { return true; }
  mark start_raiser(const genesys::detail::aborts::raiser_context& with) override {
    words_ = with.words;
    return raiser;
  }
  time_ns now() const override { return on_->now(); }
  time_ns nap() const override { return on_->nap(); }

 private:
  static constexpr mark raiser = ~mark{0};
  const std::unique_ptr<execution> on_ = cpu_execution({});
  genesys::detail::aborts::raiser_words* words_ = nullptr;
};

instance_request kernel(kernel_id id, std::function<void()> body) {
  instance_request made;
  made.kernel = id;
  made.what.blocks = made.what.threads = {1};
  made.what.body = std::move(body);
  made.idempotent = made.abortable = true;
  return made;
}

TEST(LateRaiser, LaunchesAreAbortedForEver) {
  driver on(std::make_unique<without_place>(), {});
  const task_id batch = on.add_task(10), urgent = on.add_task(-10);
  constexpr kernel_id rounds = 2 * genesys::detail::aborts::indices;
  for (kernel_id round = 1; round <= rounds; ++round) {
    const auto runs = std::make_shared<std::atomic<bool>>(false), may_end = std::make_shared<std::atomic<bool>>(false);
    const auto end = on.submit(batch, kernel(round, [=] {
                                 *runs = true;
                                 while (!*may_end) genesys::pause();
                               }));
    while (!*runs) std::this_thread::yield();
    EXPECT_NO_THROW(on.submit(urgent, kernel(0x10000, [] {}))->wait()) << round;  // the other one must make way
    *may_end = true;
    ASSERT_NO_THROW(end->wait()) << round;
  }
  EXPECT_GE(on.counted().at(rounds).aborts, 1U);
}

}  // namespace

#endif
