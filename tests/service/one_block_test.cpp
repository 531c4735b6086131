// SPDX-License-Identifier: Apache-2.0
// What a block does with a share that is not right, on the CPU device. The host never submits such a request.
#include <cerrno>
#include <memory>

#include "testing.h"

#if GENESYS_SERVICE_TESTS_ON_CPU
#include "one_block.h"

namespace {
using namespace service_testing;

long result_of(one_block& block) {
  block.run();
  const u64 word = block.completions[one_block::completion_slot].word;
  EXPECT_EQ(services::use_of(word), 1u);
  EXPECT_EQ(block.state.ready[0], services::pack_ready(1, 1));  // it has ended one share
  return services::result_of(word);
}

TEST(ServiceBlock, RunsItsShareThenLeaves) {
  EXPECT_EQ(result_of(*std::make_unique<one_block>(0)), 0);
  EXPECT_EQ(result_of(*std::make_unique<one_block>(1)), hash_of_1::of(0, {{41}}));
}

TEST(ServiceBlock, RefusesAnotherVersion) {
  EXPECT_EQ(result_of(*std::make_unique<one_block>(0, 5, 5)), 0);
  EXPECT_EQ(result_of(*std::make_unique<one_block>(0, 5, 4)), -ESTALE);
  EXPECT_EQ(result_of(*std::make_unique<one_block>(0, 5, 6)), -ESTALE);
}

TEST(ServiceBlock, RefusesAnUnknownService) { EXPECT_EQ(result_of(*std::make_unique<one_block>(2)), -ENOSYS); }

}  // namespace

#endif
