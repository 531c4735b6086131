// SPDX-License-Identifier: Apache-2.0
// In-flight counters are right for threads with their own counters and for threads that share counters. Each object
// decides how many threads have their own.
#include "host/in_flight_counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace genesys::detail {
namespace {

TEST(InFlightCounters, ManyThreadsCountAtOnce) {
  constexpr u32 threads = 64, alone = 80, calls = 5000, run = 7;
  const auto all = std::make_unique<in_flight_counters>(alone);
  std::mutex coming;
  for (u32 generation = 1; generation <= 3; ++generation) {
    std::vector<std::thread> counting;
    for (u32 t = 0; t < threads; ++t) {
      counting.emplace_back([&, t] {
        if (t % 4 != 0) {  // from the second generation on, some threads find no free counters
          const std::lock_guard one_after_another(coming);
          all->count_alone();
        }
        for (u32 i = 0; i < calls; ++i) {
          all->begin(run);
          if (t % 2 == 0) {
            all->end_posted(run, i % 10 == 0 ? -EBADF : 0);
          } else {
            all->end(run);
          }
        }
      });
    }
    for (std::thread& one : counting) one.join();
    EXPECT_FALSE(all->any(run));
    EXPECT_EQ(all->posted(), u64{generation} * threads / 2 * calls);
    EXPECT_EQ(all->posted_failed(), u64{generation} * threads / 2 * calls / 10);
    EXPECT_EQ(all->posted_canceled(), 0u);
    EXPECT_EQ(all->threads_alone(), std::min(generation * threads / 4 * 3, alone));
  }
}

// Threads of one object take no counters of another object.
TEST(InFlightCounters, ManyThreadsOfManyObjectsCountAlone) {
  constexpr u32 objects = 3, threads = 40, calls = 100;
  std::vector<std::unique_ptr<in_flight_counters>> all;
  for (u32 i = 0; i < objects; ++i) all.push_back(std::make_unique<in_flight_counters>(threads));
  std::vector<std::thread> living;
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  for (const auto& one : all) {
    for (u32 t = 0; t < threads; ++t) {
      std::promise<void> counted;
      living.emplace_back([&] {
        one->count_alone();
        for (u32 i = 0; i < calls; ++i) one->begin(1), one->end_posted(1, 0);
        for (const auto& other : all) other->begin(2), other->end(2);
        counted.set_value();
        ended.wait();
      });
      counted.get_future().wait();
    }
  }
  for (const auto& one : all) {
    EXPECT_EQ(one->threads_alone(), threads);
    EXPECT_EQ(one->posted(), u64{threads} * calls);
    EXPECT_FALSE(one->any(1));
    EXPECT_FALSE(one->any(2));
  }
  end.set_value();
  for (std::thread& one : living) one.join();
}

// While a new thread begins and ends calls, the sum is never too low: no end is seen without its beginning.
TEST(InFlightCounters, ThreadsThatComeMeanwhile) {
  constexpr u32 threads = 200, run = 5;
  const auto all = std::make_unique<in_flight_counters>(threads);
  all->begin(run);  // a call that does not end
  std::atomic<bool> over{false};
  std::thread asking([&] {
    while (!over.load()) {
      const u32 now = all->under_way(run);
      ASSERT_GE(now, 1u);
      ASSERT_LE(now, 1 + threads * 10);
    }
  });
  for (u32 t = 0; t < threads; ++t) {
    std::thread([&] {
      all->count_alone();
      for (u32 i = 0; i < 10; ++i) all->begin(run), all->end(run);
    }).join();
  }
  over = true;
  asking.join();
  EXPECT_EQ(all->under_way(run), 1u);
}

TEST(InFlightCounters, BegunInOneThreadAndEndedInAnother) {
  const auto all = std::make_unique<in_flight_counters>(1);
  std::thread([&] { all->begin(3); }).join();
  EXPECT_TRUE(all->any(3));
  EXPECT_FALSE(all->any(4));
  std::thread([&] { all->count_alone(), all->end_posted(3, -ECANCELED); }).join();
  EXPECT_FALSE(all->any(3));
  EXPECT_EQ(all->posted_canceled(), 1u);
}

}  // namespace
}  // namespace genesys::detail
