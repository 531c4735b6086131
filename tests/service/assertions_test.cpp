// SPDX-License-Identifier: Apache-2.0
// Invariants of the service protocol are violated, on the CPU device, and the assertions find it. Each in a child
// process.
#include "genesys/detail/target/assert.h"

#if GENESYS_ASSERTIONS && GENESYS_SERVICE_TESTS_ON_CPU

#include <memory>

#include "one_block.h"

namespace {
using namespace service_testing;

class ServiceAssertionsDeathTest : public testing::Test {
 protected:
  // The child executes this program again, because a forked child would lack the threads.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(ServiceAssertionsDeathTest, ABlockCompletesTwice) {
  const auto with = std::make_unique<one_block>();
  with->completions[3].word = services::pack_completion(1, 0);
  EXPECT_DEATH(with->run(), "J4: each use of a completion slot has one completion");
}

// The first words of a share are there, and the launch is over.
TEST_F(ServiceAssertionsDeathTest, ABlockLeavesWithAShare) {
  const auto with = std::make_unique<one_block>();
  with->state.mailboxes[0].words[31] = 0;
  EXPECT_DEATH(with->run(), "J6: a block that leaves has no share");
}

}  // namespace

#endif
