// SPDX-License-Identifier: Apache-2.0
// The arbiter alone, in simulated time: members with random work, some of which lie about it or stop. A failure names
// its seed. Each property also finds an arbiter that cannot keep it.
#include <random>

#include "processes.h"

namespace daemon_testing {
namespace {

constexpr time_ns tick_ns = 5'000'000;
constexpr unsigned ticks = 6000;  // 30 s

enum class conduct { greedy, bursts, lies, stops };

struct simulated_member {
  int nice = 0;
  conduct does = conduct::greedy;
  u32 run_us = 0, heartbeat = 0;
  bool wants = false, stopped = false;
  unsigned change_at = 0;  // of `wants` or `stopped`
  // What happened, in ticks.
  unsigned ran = 0, held = 0, longest_held = 0, held_now = 0, silent = 0;
};

struct result {
  std::vector<simulated_member> members;
  unsigned held_by_silent = 0, emergency_held = 0, aged_without_reason = 0, beside_the_first = 0;
};

std::vector<simulated_member> random_members(std::mt19937_64& random, bool with_emergency) {
  std::vector<simulated_member> all(2 + random() % 5);
  for (simulated_member& each : all) {
    each.nice = static_cast<int>(random() % 39) - 19;
    each.does = static_cast<conduct>(random() % 4);
    each.run_us = random() % 3 == 0 ? static_cast<u32>(random() % 100'000) : 0;
  }
  if (with_emergency) all[0].nice = nice_emergency;
  return all;
}

void act(simulated_member& one, unsigned tick, std::mt19937_64& random) {
  const bool changes = tick >= one.change_at;
  if (changes) one.change_at = tick + 1 + static_cast<unsigned>(random() % 600);
  switch (one.does) {
    case conduct::greedy:
      one.wants = true;
      break;
    case conduct::bursts:
      one.wants = changes ? random() % 2 == 0 : one.wants;
      break;
    case conduct::lies:
      one.wants = true;
      one.run_us = static_cast<u32>(random());
      break;
    case conduct::stops:
      one.wants = true;
      one.stopped = changes ? !one.stopped : one.stopped;
      break;
  }
  if (!one.stopped) ++one.heartbeat;
  one.silent = one.stopped ? one.silent + 1 : 0;
}

// The rule by which clients hold (shared_pages.h).
bool is_held_by(const arbiter& by, const std::vector<simulated_member>& all, u32 slot, u32 other) {
  return other != slot && all[other].wants && !by.is_stalled(other) &&
         by.effective_nice(other) < by.effective_nice(slot);
}

result simulate(const arbiter_options& options, std::vector<simulated_member> all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  arbiter by(options);
  for (u32 slot = 0; slot < all.size(); ++slot) by.join(slot, all[slot].nice);
  result got;
  const auto lease_ticks = static_cast<unsigned>(arbiter_options{}.lease / tick_ns);
  for (unsigned tick = 0; tick < ticks; ++tick) {
    std::array<member_sample, members_max> samples{};
    for (u32 slot = 0; slot < all.size(); ++slot) {
      simulated_member& one = all[slot];
      act(one, tick, random);
      bool held = false;
      for (u32 other = 0; other < all.size(); ++other) {
        if (!one.wants || !is_held_by(by, all, slot, other)) continue;
        held = true;
        got.held_by_silent += all[other].silent > lease_ticks + 3;
      }
      one.held += held;
      one.held_now = held ? one.held_now + 1 : 0;
      one.longest_held = std::max(one.longest_held, one.held_now);
      one.ran += one.wants && !held;
      got.emergency_held += held && one.nice == nice_emergency;
      samples[slot] = {
          one.wants ? u32{held || one.does == conduct::lies ? state_waiting : state_running} : u32{state_idle},
          one.heartbeat, one.run_us};
    }
    // Slot 0 is the most important one in the test of shares.
    bool beside = false;
    for (u32 slot = 1; slot < all.size(); ++slot) {
      bool held = false;
      for (u32 other = 0; other < all.size(); ++other) held = held || is_held_by(by, all, slot, other);
      beside = beside || (all[slot].wants && !held);
    }
    got.beside_the_first += beside && all[0].wants;
    by.tick(tick * tick_ns, samples);
    for (u32 slot = 0; slot < all.size(); ++slot)
      got.aged_without_reason += !all[slot].wants && by.effective_nice(slot) != all[slot].nice;
  }
  got.members = std::move(all);
  return got;
}

std::uint64_t seeds() { return std::getenv("GENESYS_TEST_FULL") != nullptr ? 2'000 : 100; }

// Members that wait longer than their rise may take, and were no victims of the emergency class.
unsigned starved(const result& of, const arbiter_options& options) {
  unsigned count = 0;
  for (const simulated_member& each : of.members) {
    if (each.does == conduct::stops) continue;
    const time_ns run =
        each.does == conduct::lies ? options.run_max : std::min(time_ns{each.run_us} * 1000, options.run_max);
    const time_ns step = std::max(arbiter_options{}.aging_step, run);
    const auto bound = static_cast<unsigned>(static_cast<time_ns>(each.nice + 20) * step / tick_ns) + 4;
    count += each.longest_held > bound;
  }
  return count;
}

TEST(DaemonArbiter, Properties) {
  const arbiter_options options;
  u64 held = 0;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    std::mt19937_64 random(seed);
    const bool with_emergency = seed % 3 == 0;
    const result got = simulate(options, random_members(random, with_emergency), seed);
    ASSERT_TRUE(with_emergency || starved(got, options) == 0) << "seed " << seed;
    ASSERT_EQ(got.held_by_silent, 0u) << "seed " << seed;
    ASSERT_EQ(got.emergency_held, 0u) << "seed " << seed;
    ASSERT_EQ(got.aged_without_reason, 0u) << "seed " << seed;
    for (const simulated_member& each : got.members) held += each.held;
  }
  EXPECT_GT(held, 0u);
}

TEST(DaemonArbiter, ControlsAreFound) {
  arbiter_options no_aging, no_lease;
  no_aging.aging_step = 0;
  no_lease.lease = ~time_ns{0} / 2;
  unsigned starving = 0, silent = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 one(seed), two(seed);
    starving += starved(simulate(no_aging, random_members(one, false), seed), no_aging);
    silent += simulate(no_lease, random_members(two, false), seed).held_by_silent;
  }
  EXPECT_GT(starving, 0u);
  EXPECT_GT(silent, 0u);
}

// A process that always has work shares the GPU with one that is n less important for about 1 in n + 1 of the time,
// whatever the other one says.
TEST(DaemonArbiter, Share) {
  for (const conduct does : {conduct::greedy, conduct::lies}) {
    for (const int n : {1, 2, 4, 8, 16}) {
      std::vector<simulated_member> all(2);
      all[0].nice = 0, all[1].nice = n;
      all[1].does = does;
      const result got = simulate({}, all, 1);
      const double share = static_cast<double>(got.beside_the_first) / ticks;
      EXPECT_EQ(got.members[0].held, 0u);  // equal is not more important
      EXPECT_LT(share, 1.2 / (n + 1) + 0.02) << n;
      EXPECT_GT(share, 0.7 / (n + 1) - 0.02) << n;
    }
  }
}

// A tick that comes late lets nobody become more important than those that hold it.
TEST(DaemonArbiter, ALateTickRaisesNobodyTooFar) {
  arbiter by;
  by.join(0, -4), by.join(1, 7), by.join(2, 9);
  std::array<member_sample, members_max> samples{};
  std::mt19937_64 random(1);
  time_ns now = 0;
  unsigned raised = 0;
  for (unsigned i = 0; i < 2000; ++i, now += random() % 500'000'000) {
    for (u32 slot = 0; slot < 3; ++slot) samples[slot] = {state_waiting, i, 0};
    by.tick(now, samples);
    ASSERT_FALSE(by.is_held(0)) << i;
    raised += by.effective_nice(1) == -4;
  }
  EXPECT_GT(raised, 100u);
}

// What a member says while it waits has no effect before its next turn.
TEST(DaemonArbiter, AStepIsFixedWhenTheWaitBegins) {
  arbiter by({10'000'000, 200'000'000, 1'000'000'000});
  by.join(0, 0), by.join(1, 2);
  std::array<member_sample, members_max> samples{};
  samples[0] = {state_running, 0, 0};
  samples[1] = {state_waiting, 0, 0};
  time_ns now = 0;
  unsigned turn = 0, longest_turn = 0;
  for (unsigned i = 0; i < 400; ++i, now += tick_ns) {
    ++samples[0].heartbeat, ++samples[1].heartbeat;
    by.tick(now, samples);
    samples[1].run_us = by.effective_nice(1) < 2 ? 200'000 : 0;  // while it has its turn
    turn = by.effective_nice(1) == 0 ? turn + 1 : 0;
    longest_turn = std::max(longest_turn, turn);
  }
  EXPECT_GE(longest_turn, 2u);
  EXPECT_LE(longest_turn, 4u);  // 10 ms, not 200
}

}  // namespace
}  // namespace daemon_testing
