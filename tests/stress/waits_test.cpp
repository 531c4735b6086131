// SPDX-License-Identifier: Apache-2.0
// All kinds of waiting, mixed, under load: blocking calls, tickets that are waited for later and in another order, and
// posted calls that outlive their kernel. Each result is checked, and so is the effect of each posted call.
#include "stress.h"

namespace {

using namespace stress;

struct made {
  u64 tickets, refused, posted, blocking;
};

// In each round a hash chooses what each thread does, with up to two tickets under way. A posted write goes to an
// offset that only this round of this thread uses.
struct all_waits {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, int file, int sink, u64 words, u64 seed, counts* c,
                                 made* all) const {
    const u64 me = u64{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank();
    u64 state = mixed(seed ^ me);
    genesys::ticket_of<genesys::call::pread64> calls[2];
    u64 got[2][2] = {}, place[2] = {};
    bool under_way[2] = {};
    made mine{};
    const auto settle = [&](u32 k) {
      if (!under_way[k]) return;
      under_way[k] = false;
      const long said = calls[k].wait();
      mine.refused += said == -EAGAIN;
      expect(c, said == -EAGAIN ||
                    (said == sizeof got[k] && got[k][0] == mixed(place[k]) && got[k][1] == mixed(place[k] + 1)));
    };
    for (u32 i = 0; i < rounds; ++i) {
      state = mixed(state);
      const u64 word = (state >> 8) % (words - 8);
      const u32 k = (state >> 40) % 2;
      switch (state % 5) {
        case 0:
        case 1:
          settle(k);
          place[k] = word;
          under_way[k] = true;
          calls[k] = os.ticket().pread64(file, got[k], sizeof got[k], static_cast<long>(word * 8));
          ++mine.tickets;
          break;
        case 2:
        case 3: {
          const u64 value = mixed(me * rounds + i) | 1;
          os.posted().pwrite64(sink, &value, sizeof value, static_cast<long>((me * rounds + i) * sizeof value));
          ++mine.posted;
          break;
        }
        default: {
          u64 word_here = 0;
          expect(c, os.pread64(file, &word_here, 8, static_cast<long>(word * 8)) == 8 && word_here == mixed(word));
          ++mine.blocking;
        }
      }
    }
    settle(0);
    settle(1);
    atomic<u64>(all->tickets).fetch_add(mine.tickets);
    atomic<u64>(all->refused).fetch_add(mine.refused);
    atomic<u64>(all->posted).fetch_add(mine.posted);
    atomic<u64>(all->blocking).fetch_add(mine.blocking);
    atomic<u32>(c->lanes_done).fetch_add(1, std::memory_order_relaxed);
  }
};

void run_all_waits(const genesys::options& chosen, u32 blocks, u32 threads, u32 rounds) {
  genesys::runtime rt(chosen);
  const int file = numbered_file(1 << 16), sink = numbered_file(0);
  counts* c = fresh_counts(rt);
  auto* all = static_cast<made*>(rt.allocate_device(sizeof(made)));
  rt.fill_device(all, 0, sizeof(made));
  const u64 seed = chosen.seed != 0 ? chosen.seed : static_cast<u64>(getpid());
  std::cout << rt.describe() << "; seed " << seed << "\n";
  const auto begin = std::chrono::steady_clock::now();
  const genesys::run run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, all_waits{}, rounds, file,
                                           sink, u64{1} << 16, seed, c, all);
  finish(rt, run, 400);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  made sum;
  rt.copy_to_host(&sum, all, sizeof sum);
  rt.free_device(all);
  const counts got = take(rt, c);
  EXPECT_EQ(got.wrong, 0u);
  EXPECT_EQ(got.lanes_done, blocks * threads);
  const genesys::statistics stats = rt.stats();
  EXPECT_EQ(stats.malformed, 0u);
  EXPECT_EQ(stats.posted, sum.posted);
  EXPECT_EQ(stats.posted_failed, 0u);
  // Each call is served exactly once.
  const auto served = [&](const char* call) { return stats.calls.contains(call) ? stats.calls.at(call) : 0; };
  const u64 reads = sum.tickets - sum.refused + sum.blocking;
  EXPECT_EQ(served("pread64") + served("pwrite64") + stats.direct_calls, reads + sum.posted);
  EXPECT_LE(served("pread64"), reads);
  EXPECT_LE(served("pwrite64"), sum.posted);
  std::vector<u64> written(u64{blocks} * threads * rounds);
  const ssize_t bytes = pread(sink, written.data(), written.size() * 8, 0);
  u64 there = 0, wrong = 0;
  for (u64 i = 0; i < static_cast<u64>(bytes) / 8; ++i) {
    there += written[i] != 0;
    wrong += written[i] != 0 && written[i] != (mixed(i) | 1);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(there, sum.posted);
  std::cout << "  " << stats.completed << " calls in " << seconds << " s, "
            << static_cast<double>(stats.completed) / seconds / 1e6 << " M/s; " << sum.tickets << " tickets, "
            << sum.refused << " of them refused; " << sum.posted << " posted\n";
  close(file);
  close(sink);
}

TEST(Waits, AllOfThemMixed) {
  // 100,352 threads; on a GPU 10 million calls, 50 million with GENESYS_TEST_FULL.
  if (on_gpu())
    run_all_waits({}, 392, 256, is_full() ? 500 : 100);
  else
    run_all_waits({}, 32, 64, is_full() ? 500 : 30);
}

TEST(Waits, WithFewSlotsAndBounceBuffers) {
  const genesys::options few{.workers = 2, .queues = 2, .slots_per_queue = 64, .bounce_bytes = 16u << 20};
  if (on_gpu())
    run_all_waits(few, 392, 256, 6);
  else
    run_all_waits(few, 16, 64, 20);
}

TEST(Waits, WithQueueMigrationsAllTheTime) {
  const genesys::options eager{.workers = 4, .queues = 4, .stall_us = 1};
  if (on_gpu())
    run_all_waits(eager, 132, 256, 30);
  else
    run_all_waits(eager, 16, 64, 20);
}

}  // namespace
