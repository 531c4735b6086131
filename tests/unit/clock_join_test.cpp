// SPDX-License-Identifier: Apache-2.0
// The clocks of a recording, with made-up calls whose times are known: a device's clock that drifts for hours, and
// pauses, and the pairs of clocks of a damaged file.
#include "clock_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "clock_pairs.h"

namespace genesys::command {
namespace {

constexpr std::int64_t begin_ns = 1'700'000'000'000'000'000, second_ns = 1'000'000'000;

// The device's clock is `shift_ns` behind the host's at the beginning, and loses `drift` of each second.
struct made_up_clocks {
  double drift;
  std::int64_t shift_ns;
  std::int64_t device_ns(std::int64_t host_ns) const {
    return host_ns - shift_ns - static_cast<std::int64_t>(drift * static_cast<double>(host_ns - begin_ns));
  }
};

// A call that was taken 2 us after its publishing, and the completion of the call before, seen 1 us after it.
void add_call(clock_join& to, const made_up_clocks& clocks, std::int64_t taken_ns) {
  trace::call_record call{};
  call.published = static_cast<std::uint32_t>(clocks.device_ns(taken_ns - 2000) >> 10) & 0x7ffff;
  const std::int64_t completed_ns = taken_ns - 50'000;
  call.earlier.seen = static_cast<std::uint32_t>(clocks.device_ns(completed_ns + 1000));
  to.add(call, taken_ns, completed_ns);
}

// The largest error of a time of publishing and of seeing.
std::int64_t largest_error(const clock_join& of, const made_up_clocks& clocks, std::int64_t from_ns,
                           std::int64_t until_ns) {
  std::int64_t largest = 0;
  for (std::int64_t at_ns = from_ns; at_ns < until_ns; at_ns += second_ns) {
    const auto published = static_cast<std::uint32_t>(clocks.device_ns(at_ns) >> 10) & 0x7ffff;
    const auto seen = static_cast<std::uint32_t>(clocks.device_ns(at_ns));
    largest = std::max(largest, std::abs(of.published_ns(published, at_ns + 3000) - at_ns));
    largest = std::max(largest, std::abs(of.seen_ns(seen, at_ns - 3000) - at_ns));
  }
  return largest;
}

class clock_join_drift : public testing::TestWithParam<double> {};

TEST_P(clock_join_drift, is_followed_for_hours) {
  const made_up_clocks clocks{GetParam(), 987'654'321'987'654'321};
  constexpr std::int64_t end_ns = begin_ns + 4 * 3600 * second_ns;
  clock_join join;
  for (std::int64_t at_ns = begin_ns + second_ns / 200; at_ns < end_ns; at_ns += second_ns / 20)
    add_call(join, clocks, at_ns);
  join.settle();
  ASSERT_TRUE(join.is_known());
  EXPECT_LE(join.error_ns(), 3000);
  EXPECT_LE(largest_error(join, clocks, begin_ns + second_ns, end_ns), 4000);
}

TEST_P(clock_join_drift, is_followed_after_a_pause_of_hours) {
  const made_up_clocks clocks{GetParam(), -12'345'678'987};
  constexpr std::int64_t later_ns = begin_ns + 3 * 3600 * second_ns;
  clock_join join;
  for (const std::int64_t from_ns : {begin_ns, later_ns}) {
    for (int i = 0; i < 1000; ++i) add_call(join, clocks, from_ns + i * second_ns / 100);
  }
  join.settle();
  EXPECT_LE(largest_error(join, clocks, begin_ns, begin_ns + 9 * second_ns), 4000);
  EXPECT_LE(largest_error(join, clocks, later_ns + second_ns, later_ns + 9 * second_ns), 4000);
}

INSTANTIATE_TEST_SUITE_P(both_ways, clock_join_drift, testing::Values(50e-6, -50e-6, 0.0));

TEST(clock_pairs, a_damaged_file_gives_times_in_range) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const trace::clocks_pair& last : {trace::clocks_pair{2, huge, huge, 0}, trace::clocks_pair{2, 0, 0, 0},
                                         trace::clocks_pair{huge, 2, huge / 2, 0}}) {
    clock_pairs clocks;
    clocks.add({1, 1, 1, 0});
    clocks.add(last);
    for (const std::uint64_t ticks : {std::uint64_t{1}, std::uint64_t{2}, huge / 2, huge / 2 + 1, huge}) {
      EXPECT_GE(clocks.ns_of(ticks), 1);
      EXPECT_LE(clocks.ns_of(ticks), clock_pairs::latest_ns);
    }
    EXPECT_EQ(clocks.ns_of(0), 0);
  }
  clock_pairs one;
  one.add({1, 1, huge, 0});
  EXPECT_EQ(one.ns_of(7), clock_pairs::latest_ns);
}

}  // namespace
}  // namespace genesys::command
