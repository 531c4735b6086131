// SPDX-License-Identifier: Apache-2.0
// The cost of an assertion: with assertions on, its condition is evaluated once; with assertions off, not at all.
#include "genesys/detail/target/assert.h"

#include <gtest/gtest.h>

namespace {

TEST(Assert, IsEvaluatedOnlyWhereAssertionsAreOn) {
  int times = 0;
  GENESYS_ASSERT(++times == 1, "an assertion is evaluated once");
  EXPECT_EQ(times, GENESYS_ASSERTIONS);
}

}  // namespace
