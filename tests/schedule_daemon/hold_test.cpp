// SPDX-License-Identifier: Apache-2.0
// Hold and resume between clients. The clients are in one process: each has its own connection, pages and mappings.
#include <thread>

#include "processes.h"
#include "world.h"

namespace daemon_testing {
namespace {

TEST(DaemonHold, TheMoreImportantGoesFirst) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(less->begin(), hold::none);
  EXPECT_EQ(less->poll(), hold::none);
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less->poll(), hold::abort);
  EXPECT_FALSE(more->alone());
  less->acknowledge();
  EXPECT_TRUE(more->alone());
  EXPECT_EQ(less->begin(), hold::abort);
  EXPECT_EQ(more->poll(), hold::none);
  more->end();
  EXPECT_EQ(less->begin(), hold::none);
}

TEST(DaemonHold, EqualOnesRunTogether) {
  world w;
  auto one = w.member(3), two = w.member(3);
  EXPECT_EQ(one->begin(), hold::none);
  EXPECT_EQ(two->begin(), hold::none);
  EXPECT_EQ(one->poll(), hold::none);
  EXPECT_TRUE(two->alone());
}

TEST(DaemonHold, AnEndReleases) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less->begin(), hold::abort);
  w.forget(more);
  EXPECT_TRUE(eventually([&] { return less->begin() == hold::none; }));
}

TEST(DaemonHold, ASleeperWakes) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(more->begin(), hold::none);
  EXPECT_EQ(less->begin(), hold::abort);
  std::thread ends([&] {
    sleep_ms(20);
    more->end();
  });
  const time_ns before = now_ns();
  EXPECT_TRUE(resumes(*less));
  ends.join();
  EXPECT_GE(now_ns() - before, 15'000'000u);
}

// The least of several times: a wake-up, not the end of the sleep's own time.
TEST(DaemonHold, AStateWakes) {
  world w;
  auto less = w.member(5), more = w.member(0);
  time_ns least = ~time_ns{0};
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(more->begin(), hold::none);
    EXPECT_EQ(less->begin(), hold::abort);
    std::atomic<time_ns> ended = 0;
    std::thread ends([&] {
      sleep_ms(5);
      ended = now_ns();
      more->end();
    });
    less->wait(client::wait_max_ns);
    const time_ns woken = now_ns();
    ends.join();
    least = std::min(least, woken - ended);
    EXPECT_EQ(less->begin(), hold::none);
    less->end();
  }
  EXPECT_LT(least, 20'000'000u);
}

// Two threads, each with its own client, begin and end as fast as they can.
TEST(DaemonHold, NeverTwoThatBeginAtTheSameTime) {
  world w;
  auto less = w.member(5), more = w.member(0);
  std::atomic<int> inside[2] = {};
  std::atomic<u64> together = 0, entries[2] = {};
  std::atomic<bool> over = false;
  const auto run = [&](client& one, int me) {
    while (!over) {
      if (one.begin() != hold::none || !one.wait_alone(10'000'000'000)) {
        one.poll();
        one.acknowledge();
        continue;
      }
      inside[me] = 1;
      together += inside[1 - me] != 0;
      ++entries[me];
      inside[me] = 0;
      one.end();
      for (u64 i = entries[me] % 64; i > 0; --i) std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    one.end();
  };
  std::thread first([&] { run(*less, 0); }), second([&] { run(*more, 1); });
  sleep_ms(500);
  over = true;
  first.join(), second.join();
  std::printf("%llu and %llu launches\n", static_cast<unsigned long long>(entries[0]),
              static_cast<unsigned long long>(entries[1]));
  EXPECT_EQ(together, 0u);
  EXPECT_GT(entries[0], 100u);
}

// Without a change, a sleep lasts its whole time: members do not wake each other for nothing.
TEST(DaemonHold, ASleeperSleeps) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(less->begin(), hold::none);
  less->poll();
  const time_ns before = now_ns();
  less->wait(30'000'000);
  EXPECT_GE(now_ns() - before, 29'000'000u);
  EXPECT_EQ(less->poll(), hold::none);
}

TEST(DaemonHold, LateAcknowledgementIsNotWaitedForAgain) {
  world w;
  auto less = w.member(5), more = w.member(0);
  EXPECT_EQ(less->begin(), hold::none);
  EXPECT_EQ(more->begin(), hold::none);
  time_ns before = now_ns();
  EXPECT_FALSE(more->wait_alone(20'000'000));
  EXPECT_GE(now_ns() - before, 20'000'000u);
  before = now_ns();
  EXPECT_FALSE(more->wait_alone(1'000'000'000));
  EXPECT_FALSE(more->wait_alone(1'000'000'000));
  EXPECT_LT(now_ns() - before, 900'000'000u);
  less->poll();
  less->acknowledge();
  EXPECT_TRUE(more->wait_alone(20'000'000));
}

TEST(DaemonHold, ANewNiceValueCounts) {
  if (::geteuid() != 0) GTEST_SKIP() << "it asks for a negative nice value";
  world w;
  auto one = w.member(5), two = w.member(0);
  EXPECT_EQ(one->begin(), hold::none);
  EXPECT_EQ(two->begin(), hold::none);
  EXPECT_EQ(one->poll(), hold::abort);
  one->renice(-3);
  EXPECT_TRUE(eventually([&] { return one->poll() == hold::none; }));
  EXPECT_TRUE(eventually([&] { return two->poll() == hold::abort; }));
}

TEST(DaemonHold, ManyKnowEachOther) {
  world w;
  std::vector<std::unique_ptr<client>> many;
  for (int i = 0; i < 40; ++i) {
    many.push_back(w.on_device(0, i % 20));
    EXPECT_EQ(many.back()->others(), static_cast<std::size_t>(i));
  }
  for (auto& each : many) EXPECT_TRUE(eventually([&] { return each->poll(), each->others() == 39; }));
  EXPECT_EQ(many[0]->begin(), hold::none);
  EXPECT_EQ(many[20]->begin(), hold::none);
  for (auto& each : many) EXPECT_EQ(each->begin(), each == many[0] || each == many[20] ? hold::none : hold::abort);
}

// Three members of two GPUs: the middle one is more important than the least one, but on the other GPU.
TEST(DaemonHold, GpusDoNotConcernEachOther) {
  world w;
  auto least = w.on_device(0x1234567890, 9), middle = w.on_device(1, 5), most = w.on_device(0x1234567890, 0);
  EXPECT_TRUE(eventually([&] { return least->poll(), least->others() == 1; }));
  EXPECT_EQ(middle->begin(), hold::none);
  EXPECT_EQ(least->begin(), hold::none);
  EXPECT_TRUE(middle->alone());
  EXPECT_EQ(most->begin(), hold::none);
  EXPECT_EQ(least->poll(), hold::abort);
  EXPECT_EQ(middle->poll(), hold::none);
  EXPECT_EQ(middle->others(), 0u);
}

// A held process rises until it is as important, has the GPU for a while, and falls back.
TEST(DaemonHold, AHeldProcessAges) {
  server_options options;
  options.aging.aging_step = 10'000'000;
  world w(options);
  auto less = w.member(4), more = w.member(0);
  unsigned runs = 0, holds = 0;
  EXPECT_EQ(more->begin(), hold::none);
  const time_ns until = now_ns() + 5'000'000'000;
  for (bool was_held = false; (runs < 3 || holds < 4) && now_ns() < until;) {
    EXPECT_EQ(more->poll(), hold::none);  // equal is not more important
    const bool held = less->begin() != hold::none;
    runs += was_held && !held;
    holds += !was_held && held;
    was_held = held;
    if (held) less->wait(1'000'000);
  }
  EXPECT_EQ(runs, 3u);
  EXPECT_EQ(holds, 4u);
}

TEST(DaemonHold, TheEmergencyClassDoesNotAgeNorWait) {
  if (::geteuid() != 0) GTEST_SKIP() << "it asks for a negative nice value";
  server_options options;
  options.aging.aging_step = 1'000'000;
  world w(options);
  auto less = w.member(-19), more = w.member(-20);
  EXPECT_EQ(more->begin(), hold::none);
  const time_ns until = now_ns() + 100'000'000;
  while (now_ns() < until) {
    ASSERT_EQ(less->begin(), hold::abort);
    ASSERT_EQ(more->poll(), hold::none);
  }
}

TEST(DaemonHold, AKilledProcessHoldsNobody) {
  world w;
  auto less = w.member(5);
  time_ns least = ~time_ns{0};
  for (int round = 0; round < 5; ++round) {
    shared<std::atomic<int>> runs;
    child more([&] {
      client one(options_of(w.options.socket, 0));
      if (!one.connect() || one.begin() != hold::none) return 1;
      for (*runs = 1;;) one.poll();
    });
    ASSERT_TRUE(eventually([&] { return *runs == 1 && less->begin() == hold::abort; }));
    std::atomic<time_ns> killed = 0;
    std::thread kills([&] {
      sleep_ms(5);
      killed = now_ns();
      more.kill(SIGKILL);
    });
    less->wait(client::wait_max_ns);
    EXPECT_TRUE(resumes(*less));
    const time_ns resumed = now_ns();
    kills.join();
    least = std::min(least, resumed - killed);
    less->end();
  }
  EXPECT_LT(least, 20'000'000u);
  std::printf("resumed %.2f ms after SIGKILL, the least of 5\n", static_cast<double>(least) / 1e6);
}

// Without aging, so that only the lease can end the hold.
TEST(DaemonHold, AStoppedProcessHoldsNobodyForLong) {
  server_options options;
  options.aging.aging_step = 0;
  options.aging.lease = 200'000'000;
  world w(options);
  auto less = w.member(5);
  shared<std::atomic<int>> runs;
  child more([&] {
    client one(options_of(w.options.socket, 0));
    if (!one.connect() || one.begin() != hold::none) return 1;
    for (*runs = 1;;) one.poll();
  });
  ASSERT_TRUE(eventually([&] { return *runs == 1 && less->begin() == hold::abort; }));
  more.kill(SIGSTOP);
  const time_ns before = now_ns();
  EXPECT_TRUE(resumes(*less));
  EXPECT_GE(now_ns() - before, 150'000'000u);
  EXPECT_LT(now_ns() - before, 2'000'000'000u);
  sleep_ms(300);  // the daemon does not look at the lines any more
  more.kill(SIGCONT);
  EXPECT_TRUE(eventually([&] { return less->poll() == hold::abort; })) << "it is taken for stopped for ever";
}

}  // namespace
}  // namespace daemon_testing
