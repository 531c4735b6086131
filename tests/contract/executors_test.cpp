// SPDX-License-Identifier: Apache-2.0
// How the executor `uring` differs from `threads`, and how requests are coalesced. (GENESYS_EXECUTOR chooses the
// executor of all other tests.)
#include <sys/file.h>

#include <algorithm>

#include "contract.h"

namespace contract {
namespace {

constexpr u32 block_bytes = 4096;

struct direct_job {
  int file, locked;
  u64 blocks;
  u32 times;
  u32* done;  // threads that have made their calls; the host reads it while the kernel runs
};

// Thread 0 waits for a lock that the host holds. The others read and write blocks of their own.
struct lock_or_disk {
  GENESYS_KERNEL void operator()(genesys::os os, direct_job job, u8* buffers, long* wrong) const {
    using namespace genesys;
    const u32 me = thread_rank(), others = threads_in_block() - 1;
    wrong[me] = 0;
    if (me == 0) {
      if (job.locked >= 0) wrong[0] = os.flock(job.locked, LOCK_EX);
      return;
    }
    u8* mine = buffers + u64{me} * block_bytes;
    for (u32 i = 0; i < job.times; ++i) {
      const u64 at = (me - 1 + u64{i} * others) % job.blocks * block_bytes;
      if (os.pread64(job.file, mine, block_bytes, static_cast<off_t>(at)) != block_bytes) ++wrong[me];
      for (u32 k = 0; k < block_bytes; k += 509) wrong[me] += mine[k] != pattern(at + k);
      if (os.pwrite64(job.file, mine, block_bytes, static_cast<off_t>(at)) != block_bytes) ++wrong[me];
      if (i % 8 == 0 && os.fdatasync(job.file) != 0) ++wrong[me];
    }
    atomic<u32, thread_scope::system>(*job.done).fetch_add(1);
  }
};

struct each_calls {
  GENESYS_KERNEL void operator()(genesys::os os, long parent, u32* wrong) const {
    if (os.getppid() != parent) genesys::atomic<u32>(*wrong).fetch_add(1);
  }
};

TEST(Uring, ACallThatWaitsForADiskKeepsNoWorkerAndNoOtherCall) {
  genesys::options chosen;
  chosen.executor = genesys::executor_kind::uring;
  chosen.workers = 1;
  runtime rt(chosen);
  if (rt.describe().find("executor uring") == std::string::npos) GTEST_SKIP() << rt.describe();
  constexpr u32 threads = 64, blocks = 256;
  const folder in;
  (void)made_file(in, "blocks", patterned(u64{blocks} * block_bytes));
  const descriptor file(::open((in / "blocks").c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  if (file.get() < 0) GTEST_SKIP() << "no O_DIRECT in " << in.path();
  const descriptor locked = made_file(in, "locked", ""), again(::open((in / "locked").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(again.get(), LOCK_EX), 0);

  in_arena<u8> buffers(rt, (threads + 1) * block_bytes);
  auto* const aligned = reinterpret_cast<u8*>((reinterpret_cast<std::uintptr_t>(buffers.get()) + block_bytes - 1) /
                                              block_bytes * block_bytes);
  in_arena<u32> done(rt, 1);
  done[0] = 0;
  const on_device<long> wrong(rt, threads);
  {
    auto run = start(rt, {.blocks = {1}, .threads = {threads}}, lock_or_disk{},
                     direct_job{file.get(), locked.get(), blocks, 16, done.get()}, aligned, wrong.get());
    const auto all_read = [&] { return std::atomic_ref<u32>(done[0]).load(std::memory_order_acquire) == threads - 1; };
    EXPECT_TRUE(eventually(all_read)) << "calls wait for one that has nothing to do with them";
    EXPECT_EQ(::flock(again.get(), LOCK_UN), 0);
    run.finish();
  }
  for (const long one : wrong.take()) EXPECT_EQ(one, 0);
  const genesys::statistics said = rt.stats();
  EXPECT_GT(said.uring_calls, 1000u);  // of more than 2,000
  EXPECT_LE(said.uring_submissions, said.uring_calls);
  EXPECT_EQ(said.calls.at("pread64"), (threads - 1) * 16u);
  EXPECT_EQ(said.calls.at("flock"), 1u);
}

// The worker itself reads what is in the page cache or in a file system in memory.
TEST(Uring, WhatIsThereIsReadAtOnce) {
  genesys::options chosen;
  chosen.executor = genesys::executor_kind::uring;
  runtime rt(chosen);
  const folder in;
  const descriptor file = made_file(in, "blocks", patterned(64 * block_bytes));
  in_arena<u8> buffers(rt, 64 * block_bytes);
  in_arena<u32> done(rt, 1);
  const on_device<long> wrong(rt, 64);
  play(rt, {.blocks = {1}, .threads = {64}}, lock_or_disk{}, direct_job{file.get(), -1, 64, 1, done.get()},
       buffers.get(), wrong.get());
  for (const long one : wrong.take()) EXPECT_EQ(one, 0);
  EXPECT_EQ(rt.stats().calls.at("pread64"), 63u);
  EXPECT_LE(rt.stats().uring_calls, 63u + 63u);  // 63 calls of fdatasync, and reads that miss the page cache
}

class Coalescing : public testing::Test {
 protected:
  static genesys::options one_queue() {
    genesys::options chosen;
    chosen.workers = chosen.queues = 1;
    return chosen;
  }
  // How many seconds the calls of a block take, one for each thread.
  double calls_of(u32 threads) {
    const on_device<u32> wrong(rt_, std::vector<u32>{0});
    const auto begin = std::chrono::steady_clock::now();
    play(rt_, {.blocks = {1}, .threads = {threads}}, each_calls{}, static_cast<long>(::getppid()), wrong.get());
    EXPECT_EQ(wrong.take()[0], 0u);
    return seconds_since(begin);
  }
  runtime rt_{one_queue()};
};

TEST_F(Coalescing, RequestsAreLeftUntilTheyAreSoMany) {
  (void)calls_of(32);  // a first run that allocates memory and starts threads
  rt_.coalesce(1'000'000, 32);
  for (u32 i = 0; i < 2; ++i) (void)calls_of(32);  // the workers may serve some of these as before
  const auto before = rt_.stats().bundles;
  EXPECT_LT(calls_of(32), 0.9);
  EXPECT_EQ(rt_.stats().bundles - before, 1u);
}

TEST_F(Coalescing, OrUntilTheFirstHasWaitedSoLong) {
  rt_.coalesce(100'000, 32);
  (void)calls_of(8);  // the workers may serve some of these as before
  EXPECT_GE(calls_of(8), 0.1);
  rt_.coalesce(0, 0);  // back to no coalescing
  EXPECT_LT(calls_of(8), 0.1);
}

TEST_F(Coalescing, MoreThanAQueueHoldsDoesNotHang) {
  rt_.coalesce(20'000, ~0u);
  EXPECT_LT(calls_of(1024) + calls_of(1024), sanitized ? 60 : 10);
}

}  // namespace
}  // namespace contract
