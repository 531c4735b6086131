// SPDX-License-Identifier: Apache-2.0
// Few slots, few bounce buffers, few resident blocks: every call still completes.
#include <algorithm>

#include "contract.h"

namespace contract {
namespace {

struct many_calls {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, int source, u32 bytes, u8* memory, u32* wrong) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u32 bad = 0;
    u8* own = memory + u64{me} * bytes;
    for (u32 r = 0; r < rounds; ++r) {
      bad += os.syscall(SYS_lseek, -1, me, r) != -EBADF;
      if (bytes == 0) continue;
      const u64 at = u64{me} * 13 + r;
      bad += os.pread64(source, own, bytes, static_cast<long>(at)) != static_cast<long>(bytes);
      for (u32 i = 0; i < bytes; i += 61) bad += own[i] != pattern(at + i);
    }
    wrong[me] = bad;
  }
};

void check_many(runtime& rt, u32 blocks, u32 threads, u32 rounds, u32 bytes) {
  folder in;
  const descriptor source = made_file(in, "source", patterned(100'000));
  on_device<u8> memory(rt, std::max<u64>(u64{blocks} * threads * bytes, 1));
  on_device<u32> wrong(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, many_calls{}, rounds, source.get(), bytes, memory.get(),
       wrong.get());
  u32 sum = 0;
  for (const u32 bad : wrong.take()) sum += bad;
  EXPECT_EQ(sum, 0u);
}

TEST(FewResources, SlotsForFarFewerThanCall) {
  runtime rt({.workers = 1, .queues = 1, .slots_per_queue = 64});
  check_many(rt, 16, sanitized ? 64 : 256, sanitized ? 2 : 5, 0);
  check_many(rt, 4, 100, 3, 64);
}

// One lane of each warp. All begin together, and see room for many more.
struct single_calls {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, long parent, u32* wrong) const {
    if (genesys::lane() != 0) return;
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) bad += os.getppid() != parent;
    genesys::atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST(FewResources, SlotsForFewerThanBegin) {
  runtime rt({.workers = 1, .queues = 1, .slots_per_queue = 256});
  on_device<u32> wrong(rt, 1);
  wrong.fill(0);
  for (u32 times = 0; times < 5; ++times)
    play(rt, {.blocks = {on_cuda() ? 528u : 16u}, .threads = {256}}, single_calls{}, sanitized ? 5u : 30u,
         static_cast<long>(::getppid()), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
}

// Calls with zero to six nonzero arguments use the same slots in turn. An argument that a request leaves out must not
// come from an older request (protocol.h, I2).
struct calls_with_zeros {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, int fd, long parent, u32* wrong) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u64 state = me * 0x9e3779b97f4a7c15ull + 1;
    u32 bad = 0;
    for (u32 i = 0; i < rounds; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const u64 any = state >> 40;
      const long zero_or_not = (any & 1) != 0 ? static_cast<long>(any) : 0;
      switch (any >> 1 & 3) {
        case 0:
          bad += os.getppid() != parent;
          break;
        case 1:
          bad += os.lseek(fd, zero_or_not, SEEK_SET) != zero_or_not;
          break;
        case 2:  // an unknown `whence`, or none
          bad += os.lseek(fd, 1, zero_or_not != 0 ? 77 : SEEK_SET) != (zero_or_not != 0 ? -EINVAL : 1);
          break;
        default:  // Linux knows no such flag
          bad += os.syscall(SYS_copy_file_range, fd, 0, fd, 0, 0, zero_or_not) != (zero_or_not != 0 ? -EINVAL : 0);
      }
    }
    wrong[me] = bad;
  }
};

TEST(FewResources, ArgumentsThatAreZero) {
  runtime rt({.workers = 1, .queues = 1, .slots_per_queue = 64});
  folder in;
  const descriptor file = made_file(in, "file", patterned(100));
  const u32 blocks = 4, threads = 48;
  on_device<u32> wrong(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, calls_with_zeros{}, sanitized ? 30u : 300u, file.get(),
       static_cast<long>(::getppid()), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
}

TEST(FewResources, BounceBuffersForFarFewerThanRead) {
  runtime rt({.bounce_bytes = 16u << 20});
  check_many(rt, 4, 256, sanitized ? 1 : 4, 8192);
  check_many(rt, 1, 64, 2, 65'536 - 61);
}

TEST(FewResources, OneResidentBlockAtATime) {
  runtime rt({.workers = 1, .resident_threads_max = 1024});
  check_many(rt, 32, 512, 1, 0);
}

}  // namespace
}  // namespace contract
