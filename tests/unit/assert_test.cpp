// SPDX-License-Identifier: Apache-2.0
// What an assertion costs: its condition is evaluated once where assertions are on, and not at all where they are off.
#include "genesys/detail/target/assert.h"

#include <gtest/gtest.h>

namespace {

TEST(Assert, IsEvaluatedOnlyWhereAssertionsAreOn) {
  int times = 0;
  GENESYS_ASSERT(++times == 1, "an assertion is evaluated once");
  EXPECT_EQ(times, GENESYS_ASSERTIONS);
}

}  // namespace
