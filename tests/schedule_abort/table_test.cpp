// SPDX-License-Identifier: Apache-2.0
// The abort table: indices, numbers that wrap around, raises that come too early or too late, what it refuses.
#include "kernels.h"

namespace {
using namespace abort_testing;
using genesys::schedule::abort_launch;
using genesys::schedule::abort_table;
using genesys::schedule::launch_end;

constexpr shape of{5, 32};

struct data_of_test {
  words data{of.all()}, wrong{1};
  stream on;
  void launch(const abort_launch& one) { on.launch(of, lone_kernel{}, one.context, data.get(), wrong.get()); }
  launch_end end(abort_table& table, const abort_launch& one) {
    on.wait();
    return table.conclude(one);
  }
};

TEST(AbortTable, ALaunchThatNobodyRaisesIsWhole) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  const abort_launch one = table.begin(0, of.all());
  d.launch(one);
  EXPECT_FALSE(d.end(table, one).aborted);
}

TEST(AbortTable, RaisedBeforeTheLaunchNothingIsWritten) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  const abort_launch one = table.begin(0, of.all());
  table.raise(one);
  EXPECT_TRUE(table.acknowledged(one));
  d.launch(one);
  const launch_end end = d.end(table, one);
  EXPECT_TRUE(end.aborted);
  EXPECT_FALSE(end.wrote);
  EXPECT_EQ(d.data.take(), std::vector<u64>(of.all()));
}

TEST(AbortTable, ARaiseAfterTheEndHasNoEffect) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  const abort_launch one = table.begin(0, of.all());
  d.launch(one);
  d.on.wait();
  table.raise(one);
  table.raise(one);
  EXPECT_FALSE(d.end(table, one).aborted);
  const abort_launch next = table.begin(0, of.all());  // the flag of the old epoch is still raised
  d.launch(next);
  table.raise(one);
  EXPECT_FALSE(d.end(table, next).aborted);
}

// Epochs and chains that wrap around skip 0 and what flags and latches hold.
TEST(AbortTable, NumbersWrapAround) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  for (u32 i = 0; i < 3 * aborts::indices; ++i) {
    table.continue_from(0xffffffffu - i % 3, 0xffffffffu - i % 2);
    const bool raised = i % 2 == 0;
    const abort_launch one = table.begin(i % 3, of.all());
    EXPECT_NE(one.context.epoch, 0u);
    EXPECT_NE(one.context.chain, 0u);
    if (raised) table.raise(one);
    d.launch(one);
    EXPECT_EQ(d.end(table, one).aborted, raised);
  }
}

TEST(AbortTable, TheLatchStopsALaunchAhead) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  const abort_launch one = table.begin(0, of.all()), ahead = table.begin(0, of.all()), other = table.begin(1, of.all());
  EXPECT_EQ(one.context.ahead, 0u);
  EXPECT_EQ(ahead.context.ahead, 1u);
  table.raise(one);
  d.launch(one);
  d.launch(ahead);
  d.launch(other);  // of another task
  EXPECT_TRUE(d.end(table, one).aborted);
  const launch_end end = d.end(table, ahead);
  EXPECT_TRUE(end.aborted);
  EXPECT_FALSE(end.wrote);
  EXPECT_FALSE(d.end(table, other).aborted);
  const abort_launch again = table.begin(0, of.all());
  EXPECT_NE(again.context.chain, one.context.chain);
  d.launch(again);
  EXPECT_FALSE(d.end(table, again).aborted);
}

TEST(AbortTable, OnlyTheLaterLaunchIsAborted) {
  abort_table table(shared_device(), 4);
  data_of_test d;
  const abort_launch one = table.begin(0, of.all()), ahead = table.begin(0, of.all());
  table.raise(ahead);
  d.launch(one);
  d.launch(ahead);
  EXPECT_FALSE(d.end(table, one).aborted);
  EXPECT_TRUE(d.end(table, ahead).aborted);
}

TEST(AbortTable, RefusesWhatBreaksTheProtocol) {
  EXPECT_THROW(abort_table(shared_device(), 3), genesys::error);
  EXPECT_THROW(abort_table(shared_device(), 256), genesys::error);
  abort_table table(shared_device(), 4);
  const abort_launch one = table.begin(0, of.all());
  table.raise(one);
  EXPECT_THROW(table.begin(0, of.all()), std::logic_error);  // not concluded
  for (u32 i = 1; i < aborts::indices; ++i) table.begin(1, of.all());
  EXPECT_THROW(table.begin(2, of.all()), genesys::error);  // no index is left
}

}  // namespace
