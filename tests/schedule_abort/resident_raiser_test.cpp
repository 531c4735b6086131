// SPDX-License-Identifier: Apache-2.0
// A resident raiser raises flags; it may come late, or leave at any time, and the host goes on by copies.
#include "genesys/detail/schedule/resident_raiser.h"

#include <atomic>
#include <thread>

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

// A raiser that a full GPU keeps waiting: aborts go on by copies, more of them than there are indices. When it is there
// at last, it takes over.
TEST(AbortResidentRaiser, MayNeverBegin) {
  constexpr shape of{3, 32};
  genesys::schedule::abort_table table(shared_device(), 8);
  genesys::schedule::resident_raiser raiser(shared_device(), table.flags(), table.replicas());
  table.use(raiser);
  const aborts::raiser_context waits = raiser.start();
  disturbed_data d(of);
  stream on, resident;
  const auto aborted = [&] {
    const auto one = table.begin(0, of.all());
    table.raise(one);
    on.launch(of, lone_kernel{}, one.context, d.data.get(), d.wrong.get());
    on.wait();
    return table.conclude(one).aborted;
  };
  for (u32 i = 0; i < 3 * aborts::indices; ++i) ASSERT_TRUE(aborted()) << i;
  EXPECT_EQ(d.data.take(), std::vector<u64>(of.all()));
  const auto whole = table.begin(0, of.all());
  const auto raised = table.begin(1, of.all());
  table.raise(raised);
  resident.launch({1, 32}, raiser_kernel{}, waits, u64{60'000'000'000u});
  // What was raised before is stored once more, in flags that launches poll now.
  std::atomic_ref<u32> stored(waits.words->acknowledged[raised.index]);
  while (stored.load(std::memory_order_acquire) != raised.context.epoch) std::this_thread::yield();
  on.launch(of, lone_kernel{}, whole.context, d.data.get(), d.wrong.get());
  on.wait();
  EXPECT_FALSE(table.conclude(whole).aborted);
  EXPECT_FALSE(table.conclude(raised).aborted) << "it was not launched";
  const auto later = table.begin(0, of.all());
  table.raise(later);
  while (!table.acknowledged(later)) std::this_thread::yield();
  on.launch(of, lone_kernel{}, later.context, d.data.get(), d.wrong.get());
  on.wait();
  EXPECT_TRUE(table.conclude(later).aborted);
  raiser.stop();
  resident.wait();
}

}  // namespace
