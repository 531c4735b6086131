// SPDX-License-Identifier: Apache-2.0
// Few callers are recognised after some calls, and many are not.
#include "host/recent_callers.h"

#include <gtest/gtest.h>

namespace {

using genesys::detail::recent_callers;
using genesys::detail::u32;

bool are_few(u32 callers, u32 times) {
  recent_callers seen;
  for (u32 i = 0; i < times; ++i) seen.ended_work(1000 + i % callers);
  return seen.are_few();
}

TEST(RecentCallers, AFewAreFew) {
  EXPECT_FALSE(recent_callers().are_few());
  EXPECT_FALSE(are_few(1, 4));
  EXPECT_TRUE(are_few(1, 5));
  EXPECT_TRUE(are_few(4, 8));
}

TEST(RecentCallers, ManyAreNot) {
  for (u32 times = 1; times < 100; ++times) EXPECT_FALSE(are_few(5, times)) << times;
}

TEST(RecentCallers, AnotherCallerEndsIt) {
  recent_callers seen;
  for (u32 i = 0; i < 10; ++i) seen.ended_work(7);
  EXPECT_TRUE(seen.are_few());
  seen.ended_work(8);
  EXPECT_FALSE(seen.are_few());
}

}  // namespace
