// SPDX-License-Identifier: Apache-2.0
// Calls without a blocking wait: tickets, which are waited for later, and posted calls, which are never waited for.
// They overlap, they wait for descriptors after their callers have gone on or left, and none of them is lost.
#include "scopes.h"

namespace contract {
namespace {

using genesys::thread_scope;

struct overlap_bytes {
  u8 bytes[3][256];
};

// Reads three places of a file at once, into device, shared and private memory, and waits for the last call first.
template <at scope>
struct overlap {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u8* memory, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const u32 unit = scope == at::thread ? me : scope == at::warp ? me / 32 : block_rank();
    const auto io = bound<scope>(os);
    u8* device = memory + u64{unit} * 128;
    u8* here = shared<overlap_bytes>().bytes[scope == at::warp ? warp_rank() % 3 : 0];
    u8 own[64];
    u32 bad = 0;
    for (u32 r = 0; r < 5; ++r) {
      const long where = static_cast<long>(unit % 100 * 50 + r);
      auto first = io.ticket().pread64(file, device, 100, where);
      auto second = io.ticket().pread64(file, own, sizeof own, where + 1000);
      if constexpr (scope != at::thread) {  // a warp of lone threads has only two tickets a lane
        auto third = io.ticket().getppid();
        auto fourth = io.ticket().pread64(file, here, 90, where + 2000);
        bad += fourth.wait() != 90;
        for (u32 i = 0; i < 90; ++i) bad += here[i] != pattern(static_cast<u64>(where) + 2000 + i);
        bad += third.wait() <= 0;
      }
      bad += second.wait() != sizeof own;
      bad += first.wait() != 100;
      for (u32 i = 0; i < 100; ++i) bad += device[i] != pattern(static_cast<u64>(where) + i);
      for (u32 i = 0; i < sizeof own; ++i) bad += own[i] != pattern(static_cast<u64>(where) + 1000 + i);
      if constexpr (scope == at::warp) sync_warp(threads_in_block() % 32 == 0 ? ~0u : active_lanes());
      if constexpr (scope == at::block) sync_block();
    }
    wrong[me] = bad;
  }
};

template <at scope>
void check_overlap() {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(20'000));
  constexpr u32 blocks = 3, threads = 96;
  on_device<u8> memory(rt, blocks * threads * 128);
  on_device<u32> wrong(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, overlap<scope>{}, file.get(), memory.get(), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
}

TEST(Tickets, OverlapAtThreadScope) { check_overlap<at::thread>(); }
TEST(Tickets, OverlapAtWarpScope) { check_overlap<at::warp>(); }
TEST(Tickets, OverlapAtBlockScope) { check_overlap<at::block>(); }

// The leader leaves before the wait. The others get the result, and make the rest of a split call.
struct caller_leaves {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u8* memory, u32 leaving, u64 bytes, u32* wrong) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u8* mine = memory + block_rank() * bytes;
    const auto io = os.on(block());
    auto plain = io.ticket().getppid();
    auto filling = io.ticket().pread64(file, mine, bytes, 0);
    auto failing = io.ticket().pread64(-1, mine, bytes, 0);
    wrong[me] = 0;
    if (thread_rank() < leaving) return;
    u32 bad = plain.wait() <= 0;
    bad += filling.wait() != static_cast<long>(bytes);
    bad += failing.wait() != -EBADF;
    for (u64 i = thread_rank() - leaving; i < bytes; i += threads_in_block() - leaving) bad += mine[i] != pattern(i);
    wrong[me] = bad;
  }
};

TEST(Tickets, TheLeaderHasLeft) {
  runtime& rt = shared_runtime();
  folder in;
  constexpr u32 blocks = 3, threads = 96;
  for (const u64 bytes : {u64{500}, u64{300'000}}) {
    const descriptor file = made_file(in, "file", patterned(bytes));
    for (const u32 leaving : {1u, 33u}) {
      on_device<u8> memory(rt, blocks * bytes);
      on_device<u32> wrong(rt, blocks * threads);
      play(rt, {.blocks = {blocks}, .threads = {threads}}, caller_leaves{}, file.get(), memory.get(), leaving, bytes,
           wrong.get());
      for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
    }
  }
}

// More tickets than a warp may have: the surplus is refused, the others are good, and afterwards tickets are free
// again.
struct too_many {
  static constexpr u32 each = 4;
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 rounds, u32* refused, u32* wrong) const {
    u32 bad = 0, no = 0;
    for (u32 r = 0; r < rounds; ++r) {
      u64 words[each];
      genesys::ticket_of<genesys::call::pread64> calls[each];
      for (u32 i = 0; i < each; ++i) calls[i] = os.ticket().pread64(file, words + i, 8, 8 * i);
      for (u32 i = 0; i < each; ++i) {
        const long said = calls[i].wait();
        no += said == -EAGAIN;
        bad += said != -EAGAIN && said != 8;
        for (u32 k = 0; k < 8 && said == 8; ++k) bad += static_cast<u8>(words[i] >> (8 * k)) != pattern(8 * i + k);
      }
    }
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    refused[me] = no;
    wrong[me] = bad;
  }
};

TEST(Tickets, BeyondTheLimitAreRefused) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(100));
  on_device<u32> refused(rt, 32), wrong(rt, 32);
  constexpr u32 rounds = 10;
  play(rt, {.blocks = {1}, .threads = {32}}, too_many{}, file.get(), rounds, refused.get(), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  u32 all = 0;
  for (const u32 no : refused.take()) all += no;
  EXPECT_GT(all, 0u);
  EXPECT_LE(all, rounds * (32 * too_many::each - 64));  // a warp always has 64 tickets
}

// The memory of a refused ticket goes to another caller at once. No caller gets the bytes of another.
TEST(Tickets, BeyondTheLimitBesideOthers) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", patterned(100));
  constexpr u32 blocks = 16, threads = 64;
  on_device<u32> refused(rt, blocks * threads), wrong(rt, blocks * threads);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, too_many{}, file.get(), 20u, refused.get(), wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  u32 all = 0;
  for (const u32 no : refused.take()) all += no;
  EXPECT_GT(all, 0u);
}

// Reads from empty pipes. The kernel goes on, and shows it, before the host sends anything.
struct read_later {
  GENESYS_KERNEL void operator()(genesys::os os, const int* ends, u32* gone_on, u64* words, long* values) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    auto call = os.ticket().read(ends[me], words + me, sizeof(u64));
    atomic<u32, thread_scope::system>(*gone_on).fetch_add(1);
    values[me] = call.wait();
  }
};

TEST(Tickets, OnDescriptorsThatAreNotReady) {
  runtime& rt = shared_runtime();
  constexpr u32 blocks = 4, threads = 64, all = blocks * threads;
  std::vector<pipe_ends> pipes;
  std::vector<int> ends;
  for (u32 i = 0; i < all; ++i) {
    pipes.push_back(made_pipe());
    ends.push_back(pipes.back().out.get());
  }
  on_device<int> device_ends(rt, ends);
  in_arena<u32> gone_on(rt, 1);
  gone_on[0] = 0;
  on_device<u64> words(rt, all);
  on_device<long> values(rt, all);
  auto run = start(rt, {.blocks = {blocks}, .threads = {threads}}, read_later{},
                   static_cast<const int*>(device_ends.get()), gone_on.get(), words.get(), values.get());
  if (!eventually([&] { return std::atomic_ref<u32>(gone_on[0]).load() == all; }))
    give_up(rt, "a ticket was waited for");
  for (u32 i = 0; i < all; ++i) {
    const u64 word = i * 0x1'0000'0001ull;
    if (i % 7 == 3) {
      pipes[i].in.close();  // the end of the file
    } else {
      ASSERT_EQ(::write(pipes[i].in.get(), &word, sizeof word), 8);
    }
  }
  run.finish();
  const auto said = values.take();
  const auto got = words.take();
  for (u32 i = 0; i < all; ++i) {
    EXPECT_EQ(said[i], i % 7 == 3 ? 0 : 8) << i;
    EXPECT_TRUE(i % 7 == 3 || got[i] == i * 0x1'0000'0001ull) << i;
  }
}

}  // namespace
}  // namespace contract
