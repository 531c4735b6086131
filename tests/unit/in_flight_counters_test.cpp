// SPDX-License-Identifier: Apache-2.0
// The in-flight counters are right with more threads than have counters of their own, one after another and at once.
#include "host/in_flight_counters.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace genesys::detail {
namespace {

TEST(InFlightCounters, ManyThreadsCountAtOnce) {
  constexpr u32 threads = 64, calls = 5000, run = 7;
  const auto all = std::make_unique<in_flight_counters>();
  for (u32 generation = 1; generation <= 3; ++generation) {
    std::vector<std::thread> counting;
    for (u32 t = 0; t < threads; ++t) {
      counting.emplace_back([&all, t] {
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
  }
}

TEST(InFlightCounters, BegunInOneThreadAndEndedInAnother) {
  const auto all = std::make_unique<in_flight_counters>();
  std::thread([&] { all->begin(3); }).join();
  EXPECT_TRUE(all->any(3));
  EXPECT_FALSE(all->any(4));
  std::thread([&] { all->end_posted(3, -ECANCELED); }).join();
  EXPECT_FALSE(all->any(3));
  EXPECT_EQ(all->posted_canceled(), 1u);
}

}  // namespace
}  // namespace genesys::detail
