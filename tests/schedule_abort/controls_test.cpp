// SPDX-License-Identifier: Apache-2.0
// Controls: each leaves out one step of the protocol, and the stress tests' checks must find it.
#include "kernels.h"
#include "repeat.h"

namespace {
using namespace abort_testing;

// Whether results or exchanged words were wrong at least once.
template <class Kernel>
bool is_found(Kernel kernel, faults with, bool by_wrong_words) {
  std::mt19937_64 random(seed());
  constexpr shape of{6, 64};
  const std::vector<u64> expected = undisturbed(of, kernel, 1);
  for (u32 round = 0; round < 50 * rounds(); ++round) {
    genesys::schedule::abort_table table(shared_device(), 8);
    disturbed_data data(of);
    stream on;
    repeat_until_whole(table, on, of, kernel, data, random, with);
    on.wait();
    if (by_wrong_words ? data.wrong.take()[0] != 0 : data.data.take() != expected) return true;
  }
  return false;
}

TEST(ScheduleAbortControls, NoRollBack) { EXPECT_TRUE(is_found(barrier_kernel{}, {.no_roll_back = true}, false)); }
TEST(ScheduleAbortControls, CountsReadBeforeTheDrain) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "it is a data race on purpose";
#endif
  EXPECT_TRUE(is_found(rarely_polling_kernel{}, {.no_drain = true}, false));
}
TEST(ScheduleAbortControls, StalePollAfterABarrier) { EXPECT_TRUE(is_found(stale_kernel{}, {}, true)); }

}  // namespace
