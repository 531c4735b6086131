// SPDX-License-Identifier: Apache-2.0
// The first launch of a kernel finds its code, which takes long on a GPU: launches of other kernels go on meanwhile. On
// the CPU device, compiled for it alone.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "schedule/api/core.h"
#include "schedule/api/made_once.h"

#if GENESYS_WITH_CPU

namespace {
using genesys::detail::scheduling::code_source;
using genesys::detail::scheduling::core;
using genesys::detail::scheduling::request;
using genesys::schedule::made_once;

constexpr auto limit = std::chrono::seconds(20);

template <class function>
bool becomes_true(function holds) {
  const auto begin = std::chrono::steady_clock::now();
  while (!holds()) {
    if (std::chrono::steady_clock::now() - begin > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// The compiler of the kernel `slow` is at work until the test lets it end.
struct compiler {
  std::atomic<bool> is_at_work{false}, may_end{false};
};

class slow_codes final : public code_source {
 public:
  explicit slow_codes(compiler& by)
      : by_(by), real_(genesys::detail::scheduling::code_source_of(genesys::device_kind::cpu)) {}
  const genesys::schedule::kernel_code& find(const request& what, const numbering& number) override {
    if (what.name != "slow") return real_->find(what, number);
    by_.is_at_work = true;
    (void)becomes_true([&] { return by_.may_end.load(); });
    by_.is_at_work = false;
    return real_->find(what, number);
  }

 private:
  compiler& by_;
  const std::unique_ptr<code_source> real_;
};

TEST(FirstLaunch, OtherKernelsAreLaunchedMeanwhile) {
  compiler by;
  std::atomic<int> ran{0};
  genesys::scheduler_options options;
  options.device.device = genesys::device_kind::cpu;
  core all(options, std::make_unique<slow_codes>(by));
  const auto batch = all.add_task(10), urgent = all.add_task(-10);
  const auto launch = [&](genesys::schedule::task_id as, const char* name, int adds) {
    request what;
    what.name = name;
    what.body = [&ran, adds] { ran += adds; };
    return all.launch(as, {.blocks = {1}, .threads = {1}}, std::move(what));
  };
  std::thread first([&] { launch(batch, "slow", 100)->wait(); });
  ASSERT_TRUE(becomes_true([&] { return by.is_at_work.load(); }));
  for (int i = 0; i < 3; ++i) launch(urgent, "fast", 1)->wait();
  EXPECT_EQ(ran, 3);
  EXPECT_TRUE(by.is_at_work) << "the urgent launches waited for the compiler";
  by.may_end = true;
  first.join();
  EXPECT_EQ(ran, 103);
  for (const auto& each : all.counts()) EXPECT_EQ(each.launches, each.kernel == "slow" ? 1U : 3U) << each.kernel;
  all.remove_task(batch);
  all.remove_task(urgent);
}

TEST(MadeOnce, OneThreadMakesAndOthersOfTheSameKeyWait) {
  made_once<int, int> all;
  std::atomic<bool> makes{false}, may_end{false};
  std::atomic<int> made{0}, ended{0};
  const auto ask = [&](int key) {
    const int& found = all.get(key, [&] {
      ++made;
      makes = true;
      (void)becomes_true([&] { return key != 1 || may_end.load(); });
      return 10 * key;
    });
    ++ended;
    return &found;
  };
  const int* seen[3] = {};
  std::vector<std::thread> threads;
  for (const int*& each : seen) threads.emplace_back([&] { each = ask(1); });
  EXPECT_TRUE(becomes_true([&] { return makes.load(); }));
  EXPECT_EQ(*ask(2), 20) << "another key";
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ended, 1) << "nobody gets what is not made";
  may_end = true;
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(made, 2);
  EXPECT_EQ(*seen[0], 10);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(MadeOnce, AfterAFailureTheNextThreadMakesIt) {
  made_once<int, int> all;
  EXPECT_THROW(all.get(1, []() -> int { throw std::runtime_error("refused"); }), std::runtime_error);
  EXPECT_EQ(all.get(1, [] { return 7; }), 7);
  EXPECT_EQ(all.get(1, [] { return 8; }), 7);
}

}  // namespace

#endif
