// SPDX-License-Identifier: Apache-2.0
// The CPU device for the driver (execution.h). Its levels have no priority: blocks of all levels run side by side.
// Copies are made at once, by the thread that asks.
#include <atomic>
#include <chrono>
#include <map>
#include <unordered_map>

#include "genesys/detail/target/cpu.h"
#include "schedule/driver/execution.h"

namespace genesys::schedule {
namespace {

// As the code that the rewriter inserts (rewrite/time_text.cpp). An exception ends a thread that leaves early, so it
// measures nothing.
std::function<void()> timed_body(const std::function<void()>& body, const detail::times::block_times& times) {
  return [body, times] {
    const std::uint64_t begin = detail::cpu::clock_ns();
    body();
    if ((detail::cpu::self().block_rank & times.sample_mask) != times.sample) return;
    const std::uint64_t took = detail::cpu::clock_ns() - begin;
    const std::atomic_ref longest(times.record->longest_ns), sum(times.record->sum_ns), threads(times.record->threads);
    for (auto known = longest.load(std::memory_order_relaxed); known < took;) {
      if (longest.compare_exchange_weak(known, took, std::memory_order_relaxed)) break;
    }
    sum.fetch_add(took, std::memory_order_relaxed);
    threads.fetch_add(1, std::memory_order_relaxed);
  };
}

class on_cpu final : public execution {
 public:
  explicit on_cpu(const options& chosen) : device_(detail::open_cpu_device(chosen)) {}

  detail::device& on() override { return *device_; }

  mark launch(const kernel_launch& what, unsigned level, const detail::aborts::launch_context* abort,
              const detail::times::block_times* times) override {
    auto started = device_->attach(&streams_[level]);
    started->start(what.blocks, what.threads, what.shared_bytes,
                   times == nullptr ? what.body : timed_body(what.body, *times), abort);
    under_way_.emplace(++count_, std::move(started));
    return count_;
  }
  mark copy(void* to, const void* from, std::size_t bytes) override {
    detail::cpu::allow_device_memory();
    __builtin_memcpy(to, from, bytes);
    return ++count_;
  }
  bool passed(mark at) override {
    const auto found = under_way_.find(at);
    if (found == under_way_.end()) return true;
    return found->second->look() == detail::progress::ended;
  }
  void forget(mark at) override { under_way_.erase(at); }

  time_ns now() const override { return detail::cpu::clock_ns(); }
  time_ns nap() const override { return 50'000; }  // kernels use the same processors

 private:
  std::unique_ptr<detail::device> device_;
  std::map<unsigned, char> streams_;  // their addresses name streams
  std::unordered_map<mark, std::unique_ptr<detail::launches>> under_way_;
  mark count_ = 0;
};

}  // namespace

std::unique_ptr<execution> cpu_execution(const options& chosen) { return std::make_unique<on_cpu>(chosen); }

}  // namespace genesys::schedule
