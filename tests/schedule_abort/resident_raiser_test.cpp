// SPDX-License-Identifier: Apache-2.0
// A resident raiser raises flags; it may leave at any time, and the host goes on by copies.
#include "genesys/detail/schedule/resident_raiser.h"
#include "kernels.h"
#include "repeat.h"

namespace {
using namespace abort_testing;

struct raiser_kernel {
  GENESYS_KERNEL void operator()(aborts::raiser_context a, u64 limit_ns) const { aborts::serve_raises(a, limit_ns); }
};

TEST(AbortResidentRaiser, RaisesFlagsAndMayLeave) {
  std::mt19937_64 random(seed());
  constexpr shape of{6, 64};
  const std::vector<u64> expected = undisturbed(of, lone_kernel{}, 3);
  totals seen;
  genesys::schedule::abort_table table(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas());
  table.use(raiser);
  for (u32 round = 0; round < rounds() / 2; ++round) {
    stream on, resident;
    // Some raisers leave by themselves, in the middle.
    resident.launch({1, 32}, raiser_kernel{}, raiser.start(), u64{round % 3 == 0 ? 500'000u : 60'000'000'000u});
    disturbed_data data(of);
    for (u32 launch = 0; launch < 3; ++launch) {
      seen += repeat_until_whole(table, on, of, lone_kernel{}, data, random);
      if (launch == 1 && round % 3 == 1) raiser.stop();
    }
    ASSERT_EQ(data.data.take(), expected) << "GENESYS_TEST_SEED=" << seed();
    raiser.stop();
    resident.wait();
  }
  seen.print();
  EXPECT_GT(seen.aborted, 0u);
}

}  // namespace
