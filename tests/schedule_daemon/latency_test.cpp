// SPDX-License-Identifier: Apache-2.0
// How long it takes until a less important process knows that it must hold: from before begin() of the more important
// one until poll() says so in the other process. Printed; the limits only say that something is badly wrong. For
// comparison, the same through a third process that sleeps in a futex and passes the word on.
#include <sched.h>

#include <algorithm>

#include "processes.h"
#include "schedule/daemon/futex.h"
#include "world.h"

namespace daemon_testing {
namespace {

struct exchange {
  alignas(128) std::atomic<u64> began_ns;
  alignas(128) std::atomic<u32> round, over;
  alignas(128) std::atomic<u32> wanted;  // for the process between
  alignas(128) std::atomic<u32> hold;
  alignas(128) u64 took_ns[100'000];
};

unsigned rounds() { return std::getenv("GENESYS_TEST_FULL") != nullptr ? 20'000 : 1'000; }

void print(const char* what, exchange& e, unsigned count) {
  std::sort(e.took_ns, e.took_ns + count);
  const auto us = [&](double part) {
    return static_cast<double>(e.took_ns[static_cast<unsigned>(part * count)]) / 1e3;
  };
  std::printf("%-28s median %8.2f us, least %8.2f, p90 %8.2f, p99 %8.2f\n", what, us(0.5), us(0), us(0.9), us(0.99));
}

// `sleeps`: the less important process sleeps in wait() instead of polling.
void measure(const char* what, bool sleeps, u64 least_limit_ns) {
  server_options options = without_aging();
  options.aging.lease = 60'000'000'000;  // not even a process that does not get a CPU for long is stalled
  world w(options);
  shared<exchange> e;
  const unsigned count = rounds();
  child less([&] {
    client one(options_of(w.options.socket, 5));
    if (!one.connect()) return 1;
    while (one.others() == 0) one.wait(1'000'000);
    for (unsigned i = 0; i < count; ++i) {
      while (one.begin() != hold::none) one.wait(client::wait_max_ns);
      e->round = i + 1;
      while (one.poll() == hold::none) {
        if (sleeps) one.wait(client::wait_max_ns);
      }
      e->took_ns[i] = now_ns() - e->began_ns;
      one.acknowledge();
    }
    return 0;
  });
  auto more = w.member(0);
  EXPECT_TRUE(eventually([&] { return more->poll(), more->others() == 1; }));
  for (unsigned i = 0; i < count; ++i) {
    const time_ns until = now_ns() + 10'000'000'000;
    while (e->round != i + 1 && now_ns() < until) ::sched_yield();
    ASSERT_EQ(e->round.load(), i + 1);
    if (sleeps) ::usleep(100);  // until it sleeps
    e->began_ns = now_ns();
    more->begin();
    while (!more->wait_alone(1'000'000) && now_ns() < until) {
    }
    more->end();
  }
  EXPECT_EQ(less.wait(), 0);
  print(what, *e, count);
  EXPECT_LT(e->took_ns[0], least_limit_ns);
}

TEST(DaemonLatency, SpinningProcess) { measure("begin() to poll()", false, 100'000); }

TEST(DaemonLatency, SleepingProcess) { measure("begin() to wait()", true, 5'000'000); }

TEST(DaemonLatency, ThroughAThirdProcess) {
  shared<exchange> e;
  const unsigned count = rounds() / 4;
  child between([&] {
    for (u32 seen = 0; e->over == 0;) {
      const awaited_word word{&e->wanted, seen};
      if (e->wanted == seen) sleep_on(&word, 1, 50'000'000);
      e->hold = seen = e->wanted.load();
    }
    return 0;
  });
  child less([&] {
    for (u32 i = 1; i <= count; ++i) {
      e->round = i;
      while (e->hold != i) {
      }
      e->took_ns[i - 1] = now_ns() - e->began_ns;
    }
    return 0;
  });
  for (u32 i = 1; i <= count; ++i) {
    while (e->round != i) ::sched_yield();
    ::usleep(100);  // until the process between sleeps
    e->began_ns = now_ns();
    e->wanted = i;
    wake_all(&e->wanted);
    while (e->hold != i) ::sched_yield();
  }
  EXPECT_EQ(less.wait(), 0);
  e->over = 1;
  EXPECT_EQ(between.wait(), 0);
  print("through a third process", *e, count);
}

// What a process pays that polls, and one that begins and ends alone.
TEST(DaemonLatency, CostOfCalls) {
  world w;
  auto one = w.member(7);
  std::vector<std::unique_ptr<client>> others;
  for (const unsigned members : {1u, 2u, 8u}) {
    while (others.size() + 1 < members) others.push_back(w.member(2));  // all more important, and idle
    while (one->others() + 1 < members) one->poll();
    constexpr unsigned times = 200'000;
    time_ns before = now_ns();
    one->begin();
    for (unsigned i = 0; i < times; ++i) ASSERT_EQ(one->poll(), hold::none);
    const double poll_ns = static_cast<double>(now_ns() - before) / times;
    one->end();
    before = now_ns();
    for (unsigned i = 0; i < times; ++i) one->begin(), one->end();
    std::printf("%u members: poll %.1f ns, begin and end %.1f ns\n", members, poll_ns,
                static_cast<double>(now_ns() - before) / times);
  }
}

}  // namespace
}  // namespace daemon_testing
