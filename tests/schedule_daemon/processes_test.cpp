// SPDX-License-Identifier: Apache-2.0
// Several processes with work at random times, and signals at random times. Memory that they share stands for the GPU:
// a process that has launches says so there, and looks whether another one has.
#include <random>

#include "processes.h"
#include "schedule/daemon/member_list.h"

namespace daemon_testing {
namespace {

constexpr unsigned processes_max = 8;

struct gpu {
  std::atomic<int> inside[processes_max];
  std::atomic<u64> entries[processes_max];
  std::atomic<u64> together, held, late;
  std::atomic<unsigned> ready;
  std::atomic<bool> over;
};

enum class fault { none, acknowledges_first, does_not_wait };

std::uint64_t seed() {
  const char* const given = std::getenv("GENESYS_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

// One launch, which ends early if the process must hold.
void launch(client& one, gpu& on, unsigned me, std::mt19937_64& random, fault with) {
  on.inside[me] = 1;
  ++on.entries[me];
  for (unsigned j = 0; j < processes_max; ++j) on.together += j != me && on.inside[j] != 0;
  const time_ns until = now_ns() + random() % 300'000;
  hold seen = hold::none;
  while (seen == hold::none && now_ns() < until) seen = one.poll();
  if (seen != hold::none) {
    ++on.held;
    if (with == fault::acknowledges_first) one.acknowledge();
    for (const time_ns drained = now_ns() + random() % 50'000; now_ns() < drained;) {
    }
  }
  on.inside[me] = 0;
  seen != hold::none ? one.acknowledge() : one.end();
}

// `alone_ns`: how long it waits for acknowledgements; 0: it launches at once. `others`: how many it must know first.
int work(gpu& on, unsigned me, const std::string& socket, int nice, time_ns alone_ns, unsigned others, fault with) {
  client one(options_of(socket, nice));
  std::mt19937_64 random(seed() * 100 + me);
  if (!one.connect(5'000'000'000)) return 1;
  while (one.others() < others) one.poll();
  ++on.ready;
  while (others != 0 && on.ready <= others) one.poll();
  while (!on.over) {
    const time_ns before = now_ns();
    if (one.begin() != hold::none) {
      one.wait(client::wait_max_ns);
    } else if (alone_ns != 0 && !one.wait_alone(alone_ns) && with == fault::none && others != 0) {
      on.late += now_ns() - before >= alone_ns;
      one.poll();
      one.acknowledge();
    } else {
      launch(one, on, me, random, with);
      ::usleep(static_cast<useconds_t>(random() % 400));
    }
  }
  return 0;
}

struct seen {
  u64 entries = 0, together = 0, held = 0, late = 0;
};

// Five processes of different importance, without aging, which wait for acknowledgements. Signals stop them at any
// time, for less than the lease.
seen run_exclusive(fault with, unsigned ms) {
  constexpr unsigned count = 5;
  folder in;
  server_options options;
  options.socket = in.file("socket");
  options.aging.aging_step = 0;
  options.aging.lease = 60'000'000'000;
  daemon_process daemon(options);
  shared<gpu> on;
  std::vector<child> all;
  for (unsigned i = 0; i < count; ++i) {
    const time_ns alone_ns = with == fault::does_not_wait ? 0 : 20'000'000'000;
    all.emplace_back(
        [&, i, alone_ns] { return work(*on, i, options.socket, static_cast<int>(i), alone_ns, count - 1, with); });
  }
  EXPECT_TRUE(eventually([&] { return on->ready == count; }));
  std::mt19937_64 random(seed());
  for (const time_ns until = now_ns() + u64{ms} * 1'000'000; now_ns() < until;) {
    child& one = all[random() % count];
    one.kill(SIGSTOP);
    ::usleep(static_cast<useconds_t>(random() % 3000));
    one.kill(SIGCONT);
    ::usleep(static_cast<useconds_t>(random() % 3000));
  }
  on->over = true;
  for (child& one : all) EXPECT_EQ(one.wait(), 0);
  seen sum{0, on->together, on->held, on->late};
  for (const auto& each : on->entries) sum.entries += each;
  std::printf("seed %llu: %llu launches, %llu holds, %llu beside another process, %llu late\n",
              static_cast<unsigned long long>(seed()), static_cast<unsigned long long>(sum.entries),
              static_cast<unsigned long long>(sum.held), static_cast<unsigned long long>(sum.together),
              static_cast<unsigned long long>(sum.late));
  return sum;
}

unsigned length_ms(unsigned ms) { return std::getenv("GENESYS_TEST_FULL") != nullptr ? 20 * ms : ms; }

TEST(DaemonProcesses, NeverTwoOfDifferentImportance) {
  const seen what = run_exclusive(fault::none, length_ms(1200));
  EXPECT_EQ(what.together, 0u);
  EXPECT_EQ(what.late, 0u);
  EXPECT_GT(what.entries, 100u);
  EXPECT_GT(what.held, 0u);
}

TEST(DaemonProcesses, ControlsAreFound) {
  for (const fault planted : {fault::acknowledges_first, fault::does_not_wait}) {
    u64 together = 0;
    for (int run = 0; run < 20 && together == 0; ++run) together = run_exclusive(planted, 400).together;
    EXPECT_GT(together, 0u) << static_cast<int>(planted);
  }
}

// Processes are killed and started, stopped and continued at random. Those that are left make progress.
TEST(DaemonProcesses, KillsHoldNobodyUp) {
  constexpr unsigned count = 5;
  folder in;
  server_options options;
  options.socket = in.file("socket");
  options.aging.aging_step = 5'000'000;
  options.aging.lease = 150'000'000;
  daemon_process daemon(options);
  shared<gpu> on;
  std::vector<child> all;
  const auto started = [&](unsigned i) {
    return child([&, i] { return work(*on, i, options.socket, static_cast<int>(i) * 3, 1'000'000, 0, fault::none); });
  };
  for (unsigned i = 0; i < count; ++i) all.push_back(started(i));
  std::mt19937_64 random(seed());
  unsigned killed = 0, stopped = 0;
  for (const time_ns until = now_ns() + u64{length_ms(2000)} * 1'000'000; now_ns() < until;) {
    const auto i = static_cast<unsigned>(random() % count);
    ::usleep(static_cast<useconds_t>(random() % 20'000));
    if (random() % 2 == 0) {
      all[i].kill(SIGKILL);
      all[i].wait();
      on->inside[i] = 0;
      all[i] = started(i);
      ++killed;
    } else {
      all[i].kill(SIGSTOP);
      ::usleep(static_cast<useconds_t>(random() % 300'000));
      all[i].kill(SIGCONT);
      ++stopped;
    }
  }
  EXPECT_TRUE(eventually([&] { return list_members(options.socket).size() == count; }));
  for (unsigned i = 0; i < count; ++i) {
    const u64 before = on->entries[i];
    EXPECT_TRUE(eventually([&] { return on->entries[i] > before + 2; })) << "process " << i << " makes no progress";
  }
  on->over = true;
  for (child& one : all) EXPECT_EQ(one.wait(), 0);
  EXPECT_TRUE(eventually([&] { return list_members(options.socket).empty(); }));
  std::printf("seed %llu: %u killed, %u stopped\n", static_cast<unsigned long long>(seed()), killed, stopped);
}

}  // namespace
}  // namespace daemon_testing
