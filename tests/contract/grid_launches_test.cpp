// SPDX-License-Identifier: Apache-2.0
// The records that the device keeps of grid calls: many calls in turn, launches side by side, one after another and
// replayed, a call that a block omits, and more calls under way than fit.
#include <algorithm>
#include <memory>

#include "grid.h"
#include "stream.h"

namespace contract {
namespace {

// Producers and consumers in turn, more than there are slots. The blocks meet only now and then.
struct in_turn {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 rounds, u32 rounds_apart, u32* arrived,
                                 u64* words, u32* wrong) const {
    const auto io = os.on(grid()).relaxed();
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) {
      if ((genesys::block_rank() * 7 + r) % 5 == 0) genesys::pause(3000);
      bad += io.read(from, words + r, 8) != 8;  // at the file's own position: the r-th call gets the r-th word
      bad += words[r] != r * 1000 + 7;
      for (u32 i = 0; i < 2; ++i) {
        const long n = io.write(to, words + r, 8);
        bad += n != 8 && n != -EINPROGRESS;
      }
      if ((r + 1) % rounds_apart != 0) continue;
      genesys::sync_block();
      if (genesys::thread_rank() == 0) arrive(arrived);
      wait_until(arrived, (r + 1) / rounds_apart * genesys::blocks_in_grid());
    }
    wrong[place_in_grid()] = bad;
  }
};

void check_in_turn(runtime& rt, u32 launches, u32 blocks, u32 rounds, u32 rounds_apart = 10) {
  constexpr u32 threads = 40;
  folder in;
  std::vector<u64> numbers(rounds);
  for (u32 r = 0; r < rounds; ++r) numbers[r] = r * 1000 + 7;
  const std::string text(reinterpret_cast<const char*>(numbers.data()), rounds * sizeof(u64));
  struct one {
    descriptor from, to;
    on_device<u64> words;
    on_device<u32> wrong, arrived;
    stream on;
  };
  std::vector<std::unique_ptr<one>> all;
  std::vector<std::unique_ptr<launched>> runs;
  for (u32 i = 0; i < launches; ++i) {
    const std::string name = std::to_string(i);
    all.push_back(std::unique_ptr<one>(new one{made_file(in, "from" + name, text),
                                               made_file(in, "to" + name, ""),
                                               {rt, rounds},
                                               {rt, blocks * threads},
                                               {rt, 1},
                                               {}}));
    one& l = *all.back();
    l.arrived.fill(0);
    runs.push_back(std::make_unique<launched>(
        rt,
        genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}, .stream = l.on.get()}, in_turn{}, l.from.get(),
                        l.to.get(), rounds, rounds_apart, l.arrived.get(), l.words.get(), l.wrong.get())));
  }
  for (auto& run : runs) run->finish();
  for (auto& l : all) {
    for (const u32 bad : l->wrong.take()) ASSERT_EQ(bad, 0u);
    std::vector<u64> wrote(2 * rounds);
    const std::string got = content_of(l->to.get());
    ASSERT_EQ(got.size(), wrote.size() * sizeof(u64));
    std::memcpy(wrote.data(), got.data(), got.size());
    std::sort(wrote.begin(), wrote.end());
    for (u32 r = 0; r < rounds; ++r) EXPECT_TRUE(wrote[2 * r] == numbers[r] && wrote[2 * r + 1] == numbers[r]) << r;
  }
}

// (All blocks have to be resident, since they wait for each other.)
TEST(Grid, CallsInTurn) { check_in_turn(shared_runtime(), 1, sanitized ? 12 : 37, sanitized ? 40 : 300); }
TEST(Grid, CallsOfOneBlock) { check_in_turn(shared_runtime(), 1, 1, 100); }
TEST(Grid, TwoLaunchesAtATime) { check_in_turn(shared_runtime(), 2, sanitized ? 8 : 20, sanitized ? 20 : 150); }
TEST(Grid, FewSlots) {
  genesys::options few;
  few.grid_calls_max = 4;
  runtime rt(few);
  check_in_turn(rt, 3, sanitized ? 5 : 12, sanitized ? 20 : 50, 1);
}
// More launches than there are grid call records.
TEST(Grid, ManyLaunchesOneAfterAnother) {
  for (u32 i = 0; i < (sanitized ? 60 : 400); ++i) check_in_turn(shared_runtime(), 1, 3, 2);
}

// One block omits a call: the producer is not made, the consumer is. drain() reports it, and the next launch is not
// affected.
struct one_is_missing {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u64* word, long* values) const {
    if (genesys::block_rank() == 2) return;
    const auto io = os.on(grid()).relaxed();
    const long got = io.read(file, word, 8), gave = io.write(file, word, 8);
    if (genesys::thread_rank() == 0) {
      values[genesys::block_rank() * 2] = got;
      values[genesys::block_rank() * 2 + 1] = gave;
    }
  }
};

TEST(Grid, ACallThatABlockDidNotMakeIsReported) {
  runtime rt;
  folder in;
  const descriptor file = made_file(in, "file", patterned(16));
  constexpr u32 blocks = 5;
  on_device<u64> word(rt, 1);
  on_device<long> values(rt, blocks * 2);
  values.fill(0);
  testing::internal::CaptureStderr();
  play(rt, {.blocks = {blocks}, .threads = {64}}, one_is_missing{}, file.get(), word.get(), values.get());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("read by a grid"), std::string::npos) << said;
  EXPECT_NE(said.find("write by a grid"), std::string::npos) << said;
  EXPECT_NE(said.find("4 of 5 blocks made it, so it was not made"), std::string::npos) << said;
  const std::map<long, u64> counts = tally(values);
  EXPECT_EQ(counts.at(8), 4u);
  EXPECT_EQ(counts.at(-EINPROGRESS), 4u);
  EXPECT_EQ(content_of(file.get()).size(), 16u);
  EXPECT_EQ(rt.stats().grid_calls_missed, 2u);
  check_in_turn(rt, 1, 8, 10);
  EXPECT_EQ(rt.stats().grid_calls_missed, 2u);
}

// Block 0 comes late to all of its calls. As many calls as fit are under way, and the others are refused in all blocks,
// also in the block that comes when a slot is free again.
struct too_many_under_way {
  static constexpr u32 calls = 7;
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32* arrived, const u8* text, long* values) const {
    const auto io = os.on(grid()).relaxed();
    if (genesys::block_rank() == 0) wait_until(arrived, genesys::blocks_in_grid() - 1);
    for (u32 i = 0; i < calls; ++i) {
      const long n = io.pwrite64(file, text, 4, i * 4);
      if (genesys::thread_rank() == 0) values[genesys::block_rank() * (calls + 1) + i] = n;
    }
    genesys::sync_block();
    if (genesys::thread_rank() == 0) arrive(arrived);
    wait_until(arrived, genesys::blocks_in_grid());  // a call record is free again
    const long last = io.pread64(file, const_cast<u8*>(text), 4, 0);
    if (genesys::thread_rank() == 0) values[genesys::block_rank() * (calls + 1) + calls] = last;
  }
};

TEST(Grid, MoreCallsThanThereIsRoomForAreRefusedInAllBlocks) {
  genesys::options few;
  few.grid_calls_max = 4;
  runtime rt(few);
  folder in;
  const descriptor file = made_file(in, "file", "");
  constexpr u32 blocks = 6, calls = too_many_under_way::calls;
  for (u32 again = 0; again < 3; ++again) {
    on_device<u32> arrived(rt, 1);
    arrived.fill(0);
    on_device<u8> text(rt, 4);
    on_device<long> values(rt, blocks * (calls + 1));
    play(rt, {.blocks = {blocks}, .threads = {64}}, too_many_under_way{}, file.get(), arrived.get(), text.get(),
         values.get());
    const std::vector<long> got = values.take();
    for (u32 b = 0; b < blocks; ++b) {
      for (u32 i = 0; i < calls; ++i) {
        const long wanted = i >= 4 ? -EAGAIN : b == 0 ? 4 : -EINPROGRESS;
        EXPECT_EQ(got[b * (calls + 1) + i], wanted) << "block " << b << ", call " << i;
      }
      EXPECT_EQ(got[b * (calls + 1) + calls], 4) << "block " << b;
    }
  }
}

#if defined(__CUDACC__)
__global__ void call_in_turn(genesys::os os, int from, int to, u32 rounds, u64* words, u32* wrong) {
  in_turn{}(os, from, to, rounds, rounds + 1, nullptr, words, wrong);
}

// A replayed graph node keeps its launch number, and shared memory keeps the content of the last replay.
TEST(Grid, GraphReplays) {
  if (!on_cuda()) GTEST_SKIP() << "no GPU";
  runtime& rt = shared_runtime();
  folder in;
  constexpr u32 rounds = 7, blocks = 12, threads = 40, replays = 25;
  std::vector<u64> numbers(rounds);
  for (u32 r = 0; r < rounds; ++r) numbers[r] = r * 1000 + 7;
  const std::string text(reinterpret_cast<const char*>(numbers.data()), rounds * sizeof(u64));
  const descriptor from = made_file(in, "from", text), to = made_file(in, "to", "");
  on_device<u64> words(rt, rounds);
  on_device<u32> wrong(rt, blocks * threads);
  const stream on;
  const auto handle = static_cast<cudaStream_t>(on.get());
  launched run(rt, rt.attach(on.get()));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  for (u32 nodes = 0; nodes < 2; ++nodes) {
    call_in_turn<<<blocks, threads, 0, handle>>>(run->os(), from.get(), to.get(), rounds, words.get(), wrong.get());
  }
  ASSERT_EQ(cudaStreamEndCapture(handle, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
  // Both nodes of all replays read on from the file's position, so the file holds a copy of the text for each of them.
  std::string all;
  for (u32 i = 0; i < 2 * replays; ++i) all += text;
  ASSERT_EQ(::pwrite(from.get(), all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
  for (u32 i = 0; i < replays; ++i) ASSERT_EQ(cudaGraphLaunch(ready, handle), cudaSuccess);
  run.finish();
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  EXPECT_EQ(content_of(to.get()).size(), u64{2} * 2 * rounds * sizeof(u64) * replays);
  EXPECT_EQ(rt.stats().grid_calls_missed, 0u);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
#endif

}  // namespace
}  // namespace contract
