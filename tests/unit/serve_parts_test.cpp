// SPDX-License-Identifier: Apache-2.0
// Parts of the daemon for services and of its clients that need no process: free ranges, times, the ring's words.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "service/client/free_ranges.h"
#include "service/client/ring.h"
#include "service/distribution.h"

namespace genesys::detail::serving {
namespace {

TEST(FreeRanges, NeighboursJoinAndNothingOverlaps) {
  constexpr std::size_t bytes = 1 << 20;
  free_ranges ranges(bytes);
  std::mt19937 random(1);
  std::vector<std::pair<std::size_t, std::size_t>> taken;
  std::vector<bool> used(bytes / free_ranges::alignment);
  const auto mark = [&](std::size_t at, std::size_t size, bool as) {
    for (std::size_t i = at / free_ranges::alignment; i * free_ranges::alignment < at + size; ++i) {
      ASSERT_NE(used.at(i), as);
      used[i] = as;
    }
  };
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0 || taken.empty()) {
      const std::size_t size = 1 + random() % 30'000, at = ranges.take(size);
      if (at == free_ranges::none) continue;
      mark(at, size, true);
      taken.emplace_back(at, size);
    } else {
      const std::size_t which = random() % taken.size();
      mark(taken[which].first, taken[which].second, false);
      ASSERT_TRUE(ranges.give(taken[which].first));
      taken[which] = taken.back();
      taken.pop_back();
    }
  }
  for (const auto& [at, size] : taken) EXPECT_TRUE(ranges.give(at));
  EXPECT_EQ(ranges.parts(), 1u);
  EXPECT_FALSE(ranges.give(0));
  EXPECT_EQ(ranges.take(bytes + 1), free_ranges::none);
  EXPECT_EQ(ranges.take(~std::size_t{0}), free_ranges::none);
  EXPECT_EQ(ranges.take(bytes), 0u);
}

using genesys::detail::services::distribution;

TEST(ServeDistribution, QuantilesAreRightToAFifth) {
  distribution times;
  for (std::uint64_t ns = 1; ns <= 100'000; ++ns) times.add(ns);
  for (const double share : {0.01, 0.5, 0.9, 0.99}) {
    const auto exact = share * 100'000, got = static_cast<double>(times.quantile(share));
    EXPECT_GE(got, exact * 0.99) << share;
    EXPECT_LE(got, exact * 1.26) << share;
  }
  EXPECT_EQ(times.longest(), 100'000u);
  times.add(~std::uint64_t{0});
  EXPECT_EQ(times.quantile(1), ~std::uint64_t{0});
  EXPECT_EQ(distribution().quantile(0.5), 0u);
}

TEST(ServeRing, CompletionsKeepUseAndResult) {
  for (const i64 result : {i64{0}, i64{-1}, i64{-104}, (i64{1} << 47) - 1, -(i64{1} << 47)}) {
    for (const u32 use : {0u, 1u, 0xffffu}) {
      const u64 word = ring_completion_of(use, result);
      EXPECT_EQ(ring_use_of(word), use);
      EXPECT_EQ(ring_result_of(word), result);
    }
  }
  const ring_layout layout{100};
  EXPECT_EQ(layout.slots_at() % 256, 0u);
  EXPECT_EQ(layout.completions_at() % 64, 0u);
  EXPECT_EQ(layout.directory_at(), layout.completions_at() + 100 * sizeof(ring_completion));
}

}  // namespace
}  // namespace genesys::detail::serving
