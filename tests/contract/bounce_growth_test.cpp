// SPDX-License-Identifier: Apache-2.0
// A runtime begins with few bounce buffers, and gets more under running kernels when their calls need them.
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <sstream>
#include <thread>
#include <utility>

#include "contract.h"

namespace contract {
namespace {

// Each thread reads `bytes` from a pipe of its own, by a ticket, and so holds a bounce buffer until the host writes.
struct hold_one_each {
  GENESYS_KERNEL void operator()(genesys::os os, const int* pipes, u32 bytes, u8* memory, u32* begun,
                                 long* values) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    auto later = os.ticket().read(pipes[me], memory + u64{me} * bytes, bytes);
    genesys::atomic<u32, genesys::thread_scope::system>(*begun).fetch_add(1);
    values[me] = later.wait();
  }
};

struct held {
  std::vector<long> values;
  std::vector<u8> memory;
};

// Writes 4 KiB or less to each pipe when all tickets have begun. This thread calls `meanwhile`.
held hold(
    runtime& rt, u32 threads, u32 bytes, const std::function<void()>& meanwhile = [] {}) {
  constexpr u32 in_block = 32;
  const u32 written = std::min(bytes, 4096u);
  std::vector<pipe_ends> pipes;
  in_arena<int> readers(rt, threads);
  in_arena<u32> begun(rt, 1);
  begun[0] = 0;
  for (u32 i = 0; i < threads; ++i) {
    pipes.push_back(made_pipe());
    readers[i] = pipes.back().out.get();
  }
  on_device<u8> memory(rt, u64{threads} * bytes);
  on_device<long> values(rt, threads);
  launched kernel(rt, genesys::launch(rt, {.blocks = {threads / in_block}, .threads = {in_block}}, hold_one_each{},
                                      readers.get(), bytes, memory.get(), begun.get(), values.get()));
  {
    const std::jthread writer([&] {
      EXPECT_TRUE(eventually([&] { return std::atomic_ref<u32>(begun[0]).load() == threads; }));
      for (u32 i = 0; i < threads; ++i) {
        const auto data = patterned(written + i);
        EXPECT_EQ(::write(pipes[i].in.get(), data.data() + i, written), static_cast<ssize_t>(written));
      }
    });
    meanwhile();
  }
  kernel.finish();
  return {values.take(), memory.take()};
}

void expect_all_read(const held& got, u32 threads, u32 bytes) {
  const u32 written = std::min(bytes, 4096u);
  for (u32 i = 0; i < threads; ++i) {
    ASSERT_EQ(got.values[i], static_cast<long>(written)) << i;
    for (u32 at = 0; at < written; ++at) ASSERT_EQ(got.memory[u64{i} * bytes + at], pattern(i + at)) << i << " " << at;
  }
}

// Including the part of the arena that the tests use.
std::size_t pinned_at_start(runtime& rt) {
  const in_arena<int> used(rt, 1);
  return rt.stats().pinned_bytes;
}

class BounceGrowth : public testing::TestWithParam<u32> {};

// More tickets than the buffers that a class begins with.
TEST_P(BounceGrowth, TicketsGetMoreBuffers) {
  runtime rt({.arena_bytes = 1u << 20});
  const std::size_t before = pinned_at_start(rt);
  const u32 bytes = GetParam(), threads = bytes > 8192 ? 64 : bytes < 8192 && sanitized ? 128 : 320;
  for (u32 times = 0; times < 2; ++times) expect_all_read(hold(rt, threads, bytes), threads, bytes);
  if (bytes >= 8192) {
    EXPECT_GT(rt.stats().pinned_bytes, before);
  }
  EXPECT_LE(rt.stats().pinned_bytes, before + (112u << 20));
}

INSTANTIATE_TEST_SUITE_P(Of, BounceGrowth, testing::Values(200u, 8192u, 100'000u),
                         [](const auto& bytes) { return std::to_string(bytes.param) + "Bytes"; });

// At its bound a pool grows no more: further tickets are refused, and what was held is right.
TEST(BounceGrowth, EndsAtTheBound) {
  runtime rt({.arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  const std::size_t before = pinned_at_start(rt);
  constexpr u32 threads = 64, bytes = 100'000;
  const held got = hold(rt, threads, bytes);
  const auto refused = std::ranges::count(got.values, -EAGAIN);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(std::ranges::count(got.values, 4096), threads - refused);
  EXPECT_GT(rt.stats().pinned_bytes, before);
  EXPECT_LE(rt.stats().pinned_bytes, before + (16u << 20));
}

#if defined(__CUDACC__)
// While a function of CUDA waits for the kernel, the host may have to wait before it can pin memory. Then tickets are
// refused, and the kernel goes on.
TEST(BounceGrowth, GoesOnWhileTheProgramWaitsForTheKernel) {
  if (!on_cuda()) GTEST_SKIP() << "CUDA only";
  constexpr u32 threads = 64, bytes = 100'000;
  std::vector<char> here(1u << 20);
  const std::pair<const char*, std::function<void()>> ways[] = {
      {"cudaDeviceSynchronize", [] { EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess); }},
      {"cudaFree",
       [] {
         void* some = nullptr;
         EXPECT_EQ(cudaMalloc(&some, 1u << 20), cudaSuccess);
         EXPECT_EQ(cudaFree(some), cudaSuccess);
       }},
      {"cudaFreeHost",
       [] {
         void* some = nullptr;
         EXPECT_EQ(cudaMallocHost(&some, 1u << 20), cudaSuccess);
         EXPECT_EQ(cudaFreeHost(some), cudaSuccess);
       }},
      {"cudaMemcpy",
       [&] {
         void* some = nullptr;
         EXPECT_EQ(cudaMalloc(&some, here.size()), cudaSuccess);
         EXPECT_EQ(cudaMemcpy(some, here.data(), here.size(), cudaMemcpyHostToDevice), cudaSuccess);
         EXPECT_EQ(cudaMemcpy(here.data(), some, here.size(), cudaMemcpyDeviceToHost), cudaSuccess);
         EXPECT_EQ(cudaFree(some), cudaSuccess);
       }},
  };
  for (const auto& [name, meanwhile] : ways) {
    runtime rt({.arena_bytes = 1u << 20});
    const std::size_t before = pinned_at_start(rt);
    const auto begin = std::chrono::steady_clock::now();
    const held got = hold(rt, threads, bytes, meanwhile);
    const auto refused = std::ranges::count(got.values, -EAGAIN);
    EXPECT_EQ(std::ranges::count(got.values, 4096), threads - refused) << name;
    EXPECT_LE(refused, threads - (16 + 4) / 2) << name;  // tickets get half of the buffers at the start
    EXPECT_TRUE(refused != 0 || rt.stats().pinned_bytes > before) << name;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << name;
  }
}
#endif

// Blocks 0 and 1 block the threads that serve, one after the other. The others have tickets for more than the buffers
// at the start.
struct ask_while_blocked {
  GENESYS_KERNEL void operator()(genesys::os os, const int* locked, const int* pipes, u8* memory, u32* board,
                                 long* values) const {
    const u32 block = genesys::block_rank();
    const u32 me = block * genesys::threads_in_block() + genesys::thread_rank();
    const genesys::atomic<u32, genesys::thread_scope::system> step(board[0]), refused(board[1]);
    if (block < 2 && genesys::thread_rank() != 0) return;
    if (block == 0) {
      values[1] = os.read(pipes[0], memory, 100);  // the host tells what this memory is
      step.store(1);
    }
    while (step.load() < (block < 2 ? block + 1 : 3)) genesys::pause(1000);
    if (block < 2) {
      values[me] = os.flock(locked[block], LOCK_SH);
      return;
    }
    auto later = os.ticket().read(pipes[me], memory + u64{me} * 100'000, 100'000);
    values[me] = later.wait();
    if (values[me] == -EAGAIN) refused.fetch_add(1);
  }
};

// A ticket never waits for long: if nobody can make more buffers usable, it is refused. Two threads serve: the worker,
// and the thread that waits for interrupts.
TEST(BounceGrowth, TicketsAreRefusedWhileNobodyServes) {
  runtime rt({.workers = 1, .workers_max = 1, .arena_bytes = 1u << 20});
  const folder in;
  made_file(in, "lock", "");
  const descriptor mine(::open((in / "lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(mine.get(), LOCK_EX), 0);
  in_arena<int> locked(rt, 2);
  std::vector<descriptor> others;
  for (u32 i = 0; i < 2; ++i) {
    others.emplace_back(::open((in / "lock").c_str(), O_RDWR | O_CLOEXEC));
    rt.grant(locked[i] = others.back().get());
  }
  constexpr u32 blocks = 4, in_block = 32, threads = blocks * in_block;
  std::vector<pipe_ends> pipes;
  in_arena<int> readers(rt, threads);
  in_arena<u32> board(rt, 2);
  board[0] = board[1] = 0;
  for (u32 i = 0; i < threads; ++i) {
    pipes.push_back(made_pipe());
    readers[i] = pipes.back().out.get();
  }
  ASSERT_EQ(::write(pipes[0].in.get(), "x", 1), 1);
  on_device<u8> memory(rt, u64{threads} * 100'000);
  on_device<long> values(rt, threads);
  const auto are_blocked = [&](std::size_t count) {
    std::ostringstream text;
    rt.report(text);
    const std::string report = text.str();
    std::size_t found = 0;
    for (std::size_t at = 0; (at = report.find("flock(", at)) != std::string::npos; ++at) ++found;
    return found == count;
  };
  {
    launched kernel(rt, genesys::launch(rt, {.blocks = {blocks}, .threads = {in_block}}, ask_while_blocked{},
                                        locked.get(), readers.get(), memory.get(), board.get(), values.get()));
    EXPECT_TRUE(eventually([&] { return are_blocked(1); }));
    std::atomic_ref<u32>(board[0]).store(2);
    // If the worker has taken the first call, the other thread may leave the second one to it.
    const auto since = std::chrono::steady_clock::now();
    EXPECT_TRUE(eventually(
        [&] { return are_blocked(2) || std::chrono::steady_clock::now() - since > std::chrono::milliseconds(500); }));
    std::atomic_ref<u32>(board[0]).store(3);
    EXPECT_TRUE(eventually([&] { return std::atomic_ref<u32>(board[1]).load() > 0; }));
    ASSERT_EQ(::flock(mine.get(), LOCK_UN), 0);
    for (u32 i = 2 * in_block; i < threads; ++i) EXPECT_EQ(::write(pipes[i].in.get(), "x", 1), 1);
    kernel.finish();
  }
  const std::vector<long> got = values.take();
  EXPECT_EQ(got[0], 0);
  EXPECT_EQ(got[in_block], 0);
  for (u32 i = 2 * in_block; i < threads; ++i) EXPECT_TRUE(got[i] == 1 || got[i] == -EAGAIN) << got[i];
}

// A program that stages nothing large pins no more than at the start.
TEST(BounceGrowth, NothingGrowsUnused) {
  runtime rt({.arena_bytes = 1u << 20});
  const std::size_t before = pinned_at_start(rt);
  expect_all_read(hold(rt, 32, 64), 32, 64);
  EXPECT_EQ(rt.stats().pinned_bytes, before);
}

}  // namespace
}  // namespace contract
