// SPDX-License-Identifier: Apache-2.0
// The protocol under load: many callers, few slots, random divergence, thousands of calls that wait. The test checks
// each result against its call, which finds lost, doubled and exchanged ones. On a GPU the tests make many more calls
// than on the CPU device; GENESYS_TEST_FULL=1 makes more on both.
#include "stress.h"

namespace {

using namespace stress;

// Each thread makes calls of different kinds in an order of its own, so that the lanes of a warp diverge. Each word of
// the file follows from its offset, so a result shows for which call it is.
struct mix {
  GENESYS_KERNEL void operator()(genesys::os os, u32 calls, int file, int null, u64 words, long parent, u64 seed,
                                 counts* c) const {
    const u64 me = u64{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank();
    u64 state = mixed(seed ^ me);
    for (u32 i = 0; i < calls; ++i) {
      state = mixed(state);
      const u64 word = (state >> 8) % (words - 8);
      switch (state % 7) {
        case 0:
          expect(c, os.getppid() == parent);
          break;
        case 1: {
          u64 got[4] = {};
          expect(c, os.pread64(file, got, sizeof got, static_cast<long>(word * 8)) == sizeof got &&
                        got[0] == mixed(word) && got[3] == mixed(word + 3));
          break;
        }
        case 2: {  // a result that no other thread gets; tmpfs and ext4 write past the end
          const long at = static_cast<long>(me << 20 | i);
          expect(c, os.pwrite64(null, &state, state % 9, at) == static_cast<long>(state % 9));
          break;
        }
        case 3:
          expect(c, os.write(null, &state, 8) == 8);
          break;
        case 4:
          expect(c, os.syscall(SYS_lseek, -1, static_cast<long>(me), 0) == -EBADF);
          break;
        case 5: {
          struct stat status;
          expect(c, os.fstat(file, &status) == 0 && static_cast<u64>(status.st_size) == words * 8);
          break;
        }
        case 6: {
          const u64 bytes = state % 8 + 1, unused = ~u64{0} << 8 * (bytes - 1) << 8;  // they stay as they are
          u64 got = ~u64{0};
          expect(c, os.pread64(file, &got, bytes, static_cast<long>(word * 8)) == static_cast<long>(bytes) &&
                        got == (mixed(word) | unused));
          break;
        }
      }
      atomic<u32>(c->made).fetch_add(1, std::memory_order_relaxed);
    }
    atomic<u32>(c->lanes_done).fetch_add(1, std::memory_order_relaxed);
  }
};

void run_mix(const genesys::options& chosen, u32 blocks, u32 threads, u32 calls) {
  genesys::runtime rt(chosen);
  const int file = numbered_file(1 << 16), null = open("/dev/null", O_RDWR);
  counts* c = fresh_counts(rt);
  const u64 seed = chosen.seed != 0 ? chosen.seed : static_cast<u64>(getpid());
  std::cout << rt.describe() << "; mix seed " << seed << "\n";
  const auto begin = std::chrono::steady_clock::now();
  const genesys::run run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, mix{}, calls, file, null,
                                           u64{1} << 16, static_cast<long>(getppid()), seed, c);
  finish(rt, run, 400);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const counts got = take(rt, c);
  EXPECT_EQ(got.wrong, 0u);
  EXPECT_EQ(got.made, blocks * threads * calls);
  EXPECT_EQ(got.lanes_done, blocks * threads);
  const genesys::statistics stats = rt.stats();
  EXPECT_EQ(stats.malformed, 0u);
  // Each call is served exactly once.
  u64 served = stats.direct_calls;
  for (const char* name : {"getppid", "pread64", "pwrite64", "write", "lseek", "fstat"}) {
    const auto found = stats.calls.find(name);
    if (found != stats.calls.end()) served += found->second;
  }
  EXPECT_EQ(served, u64{blocks} * threads * calls);
  std::cout << "  " << served << " calls in " << seconds << " s, " << static_cast<double>(served) / seconds / 1e6
            << " M/s, " << stats.queue_migrations << " queue migrations\n";
  close(file);
  close(null);
}

TEST(Stress, MixedCallsInRandomDivergence) {
  // 100,352 threads; on a GPU at least 10 million calls.
  if (on_gpu())
    run_mix({}, 392, 256, is_full() ? 1000 : 100);
  else
    run_mix({}, 32, 64, is_full() ? 500 : 20);
}

TEST(Stress, FewerSlotsThanCallers) {
  const genesys::options few{.workers = 2, .queues = 2, .slots_per_queue = 64};
  if (on_gpu())
    run_mix(few, 392, 256, 4);
  else
    run_mix(few, 16, 64, 10);
}

TEST(Stress, FewBounceBuffers) {
  const genesys::options few{.bounce_bytes = 16u << 20};
  if (on_gpu())
    run_mix(few, 392, 256, 10);
  else
    run_mix(few, 16, 64, 10);
}

TEST(Stress, QueueMigrationsAllTheTime) {
  const genesys::options eager{.workers = 4, .queues = 4, .stall_us = 1};
  if (on_gpu())
    run_mix(eager, 132, 256, 50);
  else
    run_mix(eager, 16, 64, 20);
}

// --- Thousands of waiting calls beside others that do not wait.

struct wait_in_read {
  GENESYS_KERNEL void operator()(genesys::os os, const int* ends, counts* c) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u32 got = 0;
    expect(c, os.read(ends[2 * me], &got, sizeof got) == sizeof got && got == me * 7 + 1);
    atomic<u32>(c->lanes_done).fetch_add(1);
  }
};

void raise_descriptor_limit() {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(Stress, ReadsOnEmptyPipesHoldNobodyUp) {
  raise_descriptor_limit();
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
#if defined(__SANITIZE_THREAD__)
  const u32 waiting = 1024;  // ThreadSanitizer has few fibers: 2,048 threads are resident, and other kernels need some
#else
  const u32 waiting = limit.rlim_cur > 16384 ? 4096 : 1024;  // three descriptors each
#endif
  genesys::runtime rt;
  auto* ends = static_cast<int*>(rt.allocate_arena(waiting * 2 * sizeof(int)));
  for (u32 i = 0; i < waiting; ++i) {
    int pair[2];
    ASSERT_EQ(pipe(pair), 0) << "pipe " << i;
    for (int k = 0; k < 2; ++k) {  // numbers below 1,024, which select() can name, stay free for the driver
      ends[2 * i + k] = fcntl(pair[k], F_DUPFD, 1024);
      ASSERT_GE(ends[2 * i + k], 0);
      close(pair[k]);
    }
  }
  counts *readers = fresh_counts(rt), *others = fresh_counts(rt);
  // CUDA delays a kernel that needs more local memory than any before it until others have ended. So it runs once here.
  genesys::launch(rt, {}, mix{}, 0u, -1, -1, u64{16}, 0L, u64{0}, others).drain();
  rt.fill_device(others, 0, sizeof(counts));
#if defined(__CUDACC__)
  cudaStream_t first = nullptr, second = nullptr;
  if (on_gpu()) {
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  }
#else
  void *first = nullptr, *second = &rt;
#endif
  void* other_stream = on_gpu() ? static_cast<void*>(second) : static_cast<void*>(&rt);
  const genesys::run blocked = genesys::launch(rt, {.blocks = {waiting / 128}, .threads = {128}, .stream = first},
                                               wait_in_read{}, ends, readers);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (rt.stats().parked < waiting && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(rt.stats().parked, waiting);

  const int file = numbered_file(1 << 16), null = open("/dev/null", O_RDWR);
  const genesys::run busy =
      genesys::launch(rt, {.blocks = {32}, .threads = {128}, .stream = other_stream}, mix{}, on_gpu() ? 25u : 4u, file,
                      null, u64{1} << 16, static_cast<long>(getppid()), u64{42}, others);
  finish(rt, busy, 60);
  const counts done = take(rt, others);
  EXPECT_EQ(done.wrong, 0u);
  EXPECT_EQ(done.made, 32u * 128 * (on_gpu() ? 25 : 4));
  EXPECT_FALSE(blocked.finished());

  for (u32 i = waiting; i-- > 0;) {
    const u32 value = i * 7 + 1;
    ASSERT_EQ(write(ends[2 * i + 1], &value, sizeof value), static_cast<ssize_t>(sizeof value));
  }
  finish(rt, blocked, 60);
  const counts woken = take(rt, readers);
  EXPECT_EQ(woken.wrong, 0u);
  EXPECT_EQ(woken.lanes_done, waiting);
  std::cout << "  " << waiting << " reads waited, " << rt.stats().workers << " threads, " << rt.stats().queue_migrations
            << " queue migrations\n";
  for (u32 i = 0; i < waiting * 2; ++i) close(ends[i]);
  close(file);
  close(null);
#if defined(__CUDACC__)
  if (on_gpu()) {
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
#endif
}

// Calls that are parked, and soon canceled, again and again.
struct read_until_canceled {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, counts* c) const {
    for (;;) {
      char byte;
      const long said = os.read(fd, &byte, 1);
      if (said == -ECANCELED) break;
      expect(c, said == 1);
    }
    atomic<u32>(c->lanes_done).fetch_add(1);
  }
};

TEST(Stress, EndsUnderWaitingKernels) {
  for (int round = 0; round < (on_gpu() ? 10 : 5); ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    auto rt = std::make_unique<genesys::runtime>();
    auto* c = static_cast<counts*>(rt->allocate_arena(sizeof(counts)));
    *c = {};
    {
      const genesys::run run =
          genesys::launch(*rt, {.blocks = {16}, .threads = {64}}, read_until_canceled{}, ends[0], c);
      std::this_thread::sleep_for(std::chrono::milliseconds(round * 3));
      const auto begin = std::chrono::steady_clock::now();
      rt.reset();
      EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 5.0);
      EXPECT_TRUE(run.finished());
      EXPECT_EQ(atomic<u32>(c->lanes_done).load(), 16u * 64);
      EXPECT_EQ(c->wrong, 0u);
    }
    close(ends[0]);
    close(ends[1]);
  }
}

}  // namespace
