// SPDX-License-Identifier: Apache-2.0
// Launches aborted at random moments, rolled back and launched again: results equal those of undisturbed launches.
#include "kernels.h"
#include "repeat.h"

namespace {
using namespace abort_testing;

constexpr shape shapes[] = {{1, 32}, {6, 64}, {40, 32}};

template <class Kernel>
void survives_aborts(Kernel kernel) {
  std::mt19937_64 random(seed());
  genesys::schedule::abort_table table(shared_device(), 8);
  totals seen;
  for (const shape of : shapes) {
    const std::vector<u64> expected = undisturbed(of, kernel, 3);
    for (u32 round = 0; round < rounds(); ++round) {
      disturbed_data data(of);
      stream on;
      for (u32 launch = 0; launch < 3; ++launch) seen += repeat_until_whole(table, on, of, kernel, data, random);
      ASSERT_EQ(data.data.take(), expected) << "GENESYS_TEST_SEED=" << seed();
      ASSERT_EQ(data.wrong.take()[0], 0u) << "GENESYS_TEST_SEED=" << seed();
    }
  }
  seen.print();
  EXPECT_GT(seen.aborted, 0u);
  EXPECT_GT(seen.wrote, 0u);
}

TEST(ScheduleAbort, KernelWithBarriers) { survives_aborts(barrier_kernel{}); }
TEST(ScheduleAbort, ThreadsLeaveBetweenBarriers) { survives_aborts(uneven_kernel{}); }
TEST(ScheduleAbort, TightLoop) { survives_aborts(lone_kernel{}); }
TEST(ScheduleAbort, Reduction) { survives_aborts(reduction_kernel{}); }

// A launch ahead writes over the input of the one before it, which may run again.
TEST(ScheduleAbort, LaunchAheadWaitsForTheOneBefore) {
  std::mt19937_64 random(seed());
  genesys::schedule::abort_table table(shared_device(), 8);
  constexpr shape of{6, 64};
  totals seen;
  std::vector<u64> first(of.all(), 1), second(of.all(), 2);
  words data(of.all()), input(of.all());
  for (u32 round = 0; round < 2 * rounds(); ++round) {
    stream on;
    data.put(first);
    input.put(first);
    bool reader_whole = false;
    for (bool writer_whole = false; !writer_whole;) {
      const std::vector<u64> snapshot = data.take();
      const auto reader = reader_whole ? genesys::schedule::abort_launch{} : table.begin(3, of.all());
      if (!reader_whole) on.launch(of, reader_kernel{}, reader.context, data.get(), input.get());
      const auto writer = table.begin(3, of.all());
      on.launch(of, writer_kernel{}, writer.context, input.get(), u64{2});
      wait_a_little(random);
      if (random() % 4 != 0 && !reader_whole) table.raise(reader);  // alone: the latch stops the launch ahead
      if (random() % 4 == 0) table.raise(writer);
      on.wait();
      if (!reader_whole) {
        const auto end = table.conclude(reader);
        reader_whole = !end.aborted;
        seen.add(end);
        if (end.aborted && end.wrote) data.put(snapshot);
      }
      const auto end = table.conclude(writer);
      writer_whole = !end.aborted;
    }
    u64 expected = 1;
    for (u32 turn = 0; turn < host_turns(); ++turn) expected = expected * 5 + 1;
    ASSERT_EQ(data.take(), std::vector<u64>(of.all(), expected)) << "GENESYS_TEST_SEED=" << seed();
    ASSERT_EQ(input.take(), second);
  }
  seen.print();
  EXPECT_GT(seen.aborted, 0u);
}

}  // namespace
