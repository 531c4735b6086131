// SPDX-License-Identifier: Apache-2.0
// GPU only: kernels with variables of their module (`__device__`, `__constant__`) are aborted at random moments, and
// their code with polls uses the variables that the host set. And what is measured of blocks.
#include "testing.h"

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#include <iostream>

namespace {
using namespace scheduler_testing;

constexpr u32 words_max = 64 * 1'024;
__device__ u32 device_words[words_max];
static __device__ u32 own_step = 3;
__device__ u32 calls_made;
__constant__ u32 factors[16];

// Updates variables in place: the snapshot has them. The host compiles the bodies, too, but never runs them.
struct change_variables {
  GENESYS_KERNEL void operator()([[maybe_unused]] u32 turns) const {
#if defined(__CUDA_ARCH__)
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (me >= words_max) return;
    for (u32 turn = 0; turn < turns; ++turn) {
      device_words[me] = device_words[me] * factors[turn % 16] + own_step + (turn ^ me);
    }
    atomicAdd(&calls_made, 1u);
#endif
  }
};

// Reads variables only: idempotent.
struct read_variables {
  GENESYS_KERNEL void operator()([[maybe_unused]] u32* out, [[maybe_unused]] u32 turns) const {
#if defined(__CUDA_ARCH__)
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u32 sum = device_words[me % words_max];
    for (u32 turn = 0; turn < turns; ++turn) sum = sum * factors[(turn + me) % 16] + own_step;
    out[me] = sum;
#endif
  }
};

struct short_kernel {
  GENESYS_KERNEL void operator()(u32* word) const {
    if (genesys::block_rank() == 0 && genesys::thread_rank() == 0) *word += 1;
  }
};

void set_variables() {
  u32 given[16];
  for (u32 i = 0; i < 16; ++i) given[i] = 2 * i + 5;
  std::vector<u32> first(words_max);
  for (u32 i = 0; i < words_max; ++i) first[i] = i * 7;
  const u32 step = 11, none = 0;
  ASSERT_EQ(cudaMemcpyToSymbol(factors, given, sizeof given), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(device_words, first.data(), words_max * sizeof(u32)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(own_step, &step, sizeof step), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(calls_made, &none, sizeof none), cudaSuccess);
}

struct contents {
  std::vector<u32> device = std::vector<u32>(words_max), out = std::vector<u32>(words_max);
  u32 calls = 0;
  bool operator==(const contents&) const = default;
};

contents read_all(genesys::scheduler& all, const words& out) {
  contents made;
  EXPECT_EQ(cudaMemcpyFromSymbol(made.device.data(), device_words, words_max * sizeof(u32)), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&made.calls, calls_made, sizeof(u32)), cudaSuccess);
  all.copy_to_host(made.out.data(), out.get(), words_max * sizeof(u32));
  return made;
}

void run_both(const genesys::task& batch, const words& out, u32 turns, genesys::rerun how) {
  const genesys::task_launch shape{.blocks = {words_max / 256}, .threads = {256}, .again = how};
  batch.launch(shape, change_variables{}, turns);
  batch.launch(shape, read_variables{}, reinterpret_cast<u32*>(out.get()), turns).wait();
}

TEST(SchedulerVariables, AreThoseOfTheProgram) {
  genesys::scheduler all({.aging_step_us = 0, .wait_max_us = 0, .short_block_us = 0, .share_multiprocessors = false});
  if (all.kind() != genesys::device_kind::cuda) GTEST_SKIP() << "variables of modules are CUDA's";
  constexpr u32 turns = 60'000;
  words out(all, words_max / 2), word(all, 1);
  const genesys::task batch = all.add_task(10);
  set_variables();
  run_both(batch, out, turns, genesys::rerun::never);
  const contents expected = read_all(all, out);
  EXPECT_EQ(expected.calls, words_max);

  set_variables();
  run_both(batch, out, turns, genesys::rerun::as_classified);
  EXPECT_TRUE(read_all(all, out) == expected) << "instrumented, nobody aborts";

  const genesys::task urgent = all.add_task(-10);
  std::mt19937_64 random(seed());
  double aborts = 0;
  for (int round = 0; round < 60; ++round) {
    set_variables();
    std::thread batch_thread([&] { run_both(batch, out, turns, genesys::rerun::as_classified); });
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 3'000));
      urgent
          .launch({.blocks = {132}, .threads = {1024}, .again = genesys::rerun::never}, short_kernel{},
                  reinterpret_cast<u32*>(word.get()))
          .wait();
    }
    batch_thread.join();
    ASSERT_TRUE(read_all(all, out) == expected) << "round " << round << ", GENESYS_TEST_SEED=" << seed();
  }
  aborts = reported(all, column_aborts);
  all.report(std::cout);
  std::printf("%.0f aborts\n", aborts);
  EXPECT_GT(aborts, 20);
}

// Kernels of a module that load() has, with variables that the host does not name.
TEST(SchedulerVariables, OfLoadedCode) {
  genesys::scheduler all({.aging_step_us = 0, .wait_max_us = 0, .short_block_us = 0, .share_multiprocessors = false});
  if (all.kind() != genesys::device_kind::cuda) GTEST_SKIP() << "variables of modules are CUDA's";
  const char* const ptx = R"(.version 8.0
.target sm_70
.address_size 64
.visible .global .align 4 .b8 words[65536];
.visible .const .align 4 .u32 step = 7;
.visible .entry change(.param .u32 turns) {
  .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p1;
  ld.param.u32 %r1, [turns];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r4, %r2, %r3, %r4;
  mov.u64 %rd1, words; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd1, %rd1, %rd2;
LOOP:
  ld.global.u32 %r5, [%rd1]; ld.const.u32 %r6, [step];
  mad.lo.u32 %r5, %r5, 5, %r6; st.global.u32 [%rd1], %r5;
  sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra LOOP;
  ret;
}
.visible .entry show(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd3, [out]; cvta.to.global.u64 %rd3, %rd3;
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r4, %r2, %r3, %r4; mul.wide.u32 %rd2, %r4, 4;
  mov.u64 %rd1, words; add.s64 %rd1, %rd1, %rd2; add.s64 %rd3, %rd3, %rd2;
  ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd3], %r5;
  ret;
})";
  const genesys::kernel_module code = all.load(ptx);
  constexpr u32 turns = 40'000, count = 16'384;
  words out(all, count / 2), word(all, 1);
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  const genesys::task_launch shape{.blocks = {count / 128}, .threads = {128}};
  u32 expected = 0;
  for (int round = 0; round < 20; ++round) {
    const auto end = batch.launch(shape, code, "change", turns);
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(700));
      urgent
          .launch({.blocks = {132}, .threads = {1024}, .again = genesys::rerun::never}, short_kernel{},
                  reinterpret_cast<u32*>(word.get()))
          .wait();
    }
    end.wait();
    for (u32 turn = 0; turn < turns; ++turn) expected = expected * 5 + 7;
    batch.launch(shape, code, "show", reinterpret_cast<u32*>(out.get())).wait();
    std::vector<u32> seen(count);
    all.copy_to_host(seen.data(), out.get(), count * sizeof(u32));
    ASSERT_EQ(seen, std::vector<u32>(count, expected)) << "round " << round;
  }
  all.report(std::cout);
  EXPECT_GT(reported(all, column_aborts), 5);
}

// One of many blocks takes long, so that waves of equal blocks would be far too short.
struct one_long_block {
  GENESYS_KERNEL void operator()(u32* out, u32 turns) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    u32 sum = me;
    const u32 mine = genesys::block_rank() == 0 ? turns : 1;
    for (u32 turn = 0; turn < mine; ++turn) sum = sum * 7 + (turn ^ sum >> 3);
    if (sum == 12'345) out[0] = sum;
  }
};

TEST(SchedulerBlockTimes, OfUnevenBlocks) {
  for (const u32 turns : {1'000'000u, 1u}) {
    genesys::scheduler all;
    if (all.kind() != genesys::device_kind::cuda) GTEST_SKIP() << "for a GPU";
    const genesys::task one = all.add_task();
    words out(all, 1);
    double launch_ms = 0;
    for (int i = 0; i < 8; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      one.launch({.blocks = {200'000}, .threads = {64}}, one_long_block{}, reinterpret_cast<u32*>(out.get()), turns)
          .wait();
      launch_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    all.report(std::cout);
    const double block_us = reported(all, column_block_us);
    std::printf("a launch takes %.3f ms, its longest block %.1f us\n", launch_ms, block_us);
    if (turns == 1) {
      EXPECT_LT(block_us, 100);
    } else {
      EXPECT_GT(block_us, 0.5 * 1e3 * launch_ms);
    }
    EXPECT_GT(block_us, 0);
  }
}

}  // namespace

#endif
