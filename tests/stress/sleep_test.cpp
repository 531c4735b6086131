// SPDX-License-Identifier: Apache-2.0
// The host sleeps and is woken all the time, and loses no call. The monitor does not look meanwhile, so nothing else
// wakes the host.
#include "stress.h"

namespace {

using namespace stress;

// One thread of each block calls, after silences of a random length: at most `silence_ns`.
struct call_seldom {
  GENESYS_KERNEL void operator()(genesys::os os, u32 calls, u64 silence_ns, int file, long parent, u64 seed,
                                 counts* c) const {
    const u64 me = genesys::block_rank();
    u64 state = mixed(seed ^ me);
    for (u32 i = 0; i < calls; ++i) {
      state = mixed(state);
      const u64 silence = state % silence_ns, begun = genesys::clock_ns();
      while (genesys::clock_ns() - begun < silence) genesys::pause();
      const auto at = static_cast<long>((me * calls + i) * 8);
      if (state >> 61 == 0) {
        os.posted().pwrite64(file, &at, 8, at);
      } else if (state >> 61 == 1) {
        expect(c, os.pwrite64(file, &at, 8, at) == 8);
      } else {
        expect(c, os.getppid() == parent);
      }
      atomic<u32>(c->made).fetch_add(1, std::memory_order_relaxed);
    }
  }
};

TEST(Stress, TheHostSleepsAndIsWoken) {
#ifdef __SANITIZE_THREAD__
  const u64 wanted = is_full() ? 20'000 : 2'000;  // interrupts
#else
  const u64 wanted = is_full() ? 1'000'000 : 2'000;
#endif
  constexpr u32 calls = 2000;
  genesys::runtime rt({.wakeup = genesys::wakeup_kind::quiet,
                       .arena_bytes = 1u << 20,
                       .bounce_bytes = 16u << 20,
                       .idle_us = 20,
                       .monitor_us = 3'600'000'000u});
  if (rt.describe().find("wakeup quiet") == std::string::npos) GTEST_SKIP() << rt.describe();  // executor direct
  const int file = numbered_file(1);
  counts* c = fresh_counts(rt);
  u64 made = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (u32 round = 0; rt.stats().interrupts < wanted; ++round) {
    ASSERT_LT(round, 10'000u) << rt.stats().interrupts << " interrupts";
    const u32 blocks = round % 3 + 1;
    finish(rt,
           genesys::launch(rt, {.blocks = {blocks}}, call_seldom{}, calls, u64{300'000}, file,
                           static_cast<long>(getppid()), u64{round}, c),
           60);
    made += blocks * calls;
  }
  const genesys::statistics stats = rt.stats();
  const counts got = take(rt, c);
  EXPECT_EQ(got.wrong, 0u);
  EXPECT_EQ(got.made, static_cast<u32>(made));
  EXPECT_EQ(stats.posted_failed, 0u);
  EXPECT_EQ(stats.completed, made);  // posted calls, too
  std::cout << "  " << made << " calls, " << stats.interrupts << " interrupts in "
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() << " s\n";
  close(file);
}

}  // namespace
