// SPDX-License-Identifier: Apache-2.0
// Posted calls, which are never waited for: Linux gets the bytes of the moment of the call, drain() waits for the
// calls, failures are counted, and the end of the runtime reports what was not made.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "contract.h"

namespace contract {
namespace {

struct posted_bytes {
  u8 bytes[128];
};

// Each thread, warp and block posts its bytes, overwrites them at once, and leaves.
struct post_and_leave {
  static constexpr u32 record = 100;
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 rounds, u8* memory) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const u64 all = u64{blocks_in_grid()} * threads_in_block();
    for (u32 r = 0; r < rounds; ++r) {
      u8 own[record];
      for (u32 i = 0; i < record; ++i) own[i] = pattern(i, me + r * 77);
      os.posted().pwrite64(file, own, record, static_cast<long>((u64{r} * all + me) * record));
      volatile u8* const spoiled = own;
      for (u32 i = 0; i < record; ++i) spoiled[i] = 0;
    }
    u8* device = memory + u64{me / 32} * record;
    const u32 lanes = threads_in_block() - warp_rank() * 32 >= 32 ? ~0u : (1u << threads_in_block() % 32) - 1;
    for (u32 i = lane(); i < record; i += 32) device[i] = pattern(i, me / 32 + 5);
    sync_warp(lanes);
    os.on(warp()).posted().pwrite64(file, device, record, static_cast<long>((u64{rounds} * all + me / 32) * record));
    for (u32 i = lane(); i < record; i += 32) device[i] = 0;
    const auto io = os.on(block());
    u8* here = shared<posted_bytes>().bytes;
    for (u32 i = thread_rank(); i < record; i += threads_in_block()) here[i] = pattern(i, block_rank() + 9);
    io.relaxed().posted().pwrite64(file, here, record,
                                   static_cast<long>((u64{rounds} * all + all / 32 + block_rank()) * record));
    for (u32 i = thread_rank(); i < record; i += threads_in_block()) here[i] = 0;
  }
};

void check_posted(runtime& rt, u32 blocks, u32 threads, u32 rounds) {
  folder in;
  const descriptor file = made_file(in, "file", "");
  const u64 all = u64{blocks} * threads;
  on_device<u8> memory(rt, all / 32 * post_and_leave::record);
  const u64 failed = rt.stats().posted_failed;
  play(rt, {.blocks = {blocks}, .threads = {threads}}, post_and_leave{}, file.get(), rounds, memory.get());
  EXPECT_EQ(rt.stats().posted_failed, failed);
  const std::string text = content_of(file.get());
  ASSERT_EQ(text.size(), (rounds * all + all / 32 + blocks) * post_and_leave::record);
  u64 wrong = 0;
  const auto compare = [&](u64 place, u64 salt) {
    for (u32 i = 0; i < post_and_leave::record; ++i)
      wrong += static_cast<u8>(text[place * post_and_leave::record + i]) != pattern(i, salt);
  };
  for (u32 r = 0; r < rounds; ++r) {
    for (u64 t = 0; t < all; ++t) compare(r * all + t, t + r * 77);
  }
  for (u64 w = 0; w < all / 32; ++w) compare(rounds * all + w, w + 5);
  for (u64 b = 0; b < blocks; ++b) compare(rounds * all + all / 32 + b, b + 9);
  EXPECT_EQ(wrong, 0u);
}

TEST(Posted, AllOfItArrives) { check_posted(shared_runtime(), 8, 128, sanitized ? 4 : 20); }

// The host frees the bounce buffers, so they suffice for all.
TEST(Posted, WithFewBounceBuffers) {
  runtime rt({.workers = 2, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  check_posted(rt, 16, 256, sanitized ? 4 : 60);
}

struct post_large {
  GENESYS_KERNEL void operator()(genesys::os os, int file, const u8* memory, u64 bytes) const {
    const auto io = os.on(genesys::block());
    if (genesys::block_rank() % 2 == 0) {
      io.posted().pwrite64(file, memory, bytes, static_cast<long>(genesys::block_rank() * bytes));
    } else {
      auto call = io.ticket().pwrite64(file, memory, bytes, static_cast<long>(genesys::block_rank() * bytes));
      if (call.wait() != static_cast<long>(bytes)) io.ftruncate(file, 0);
    }
  }
};

// A positional call that is too long for one piece is split.
TEST(Posted, InPieces) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", "");
  const u64 bytes = (sanitized ? 300'000 : 3'000'000) + 17;
  const std::string content = patterned(bytes, 4);
  on_device<u8> memory(rt, std::vector<u8>(content.begin(), content.end()));
  play(rt, {.blocks = {4}, .threads = {256}}, post_large{}, file.get(), static_cast<const u8*>(memory.get()), bytes);
  const std::string text = content_of(file.get());
  ASSERT_EQ(text.size(), 4 * bytes);
  for (u64 b = 0; b < 4; ++b) EXPECT_TRUE(text.compare(b * bytes, bytes, content) == 0) << b;
}

struct post_to_pipe {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe) const {
    const auto io = os.on(genesys::block());
    u64 word = genesys::block_rank();
    io.posted().write(pipe, &word, sizeof word);
  }
};

// The kernel ends at once. drain() waits until the pipe has taken everything.
TEST(Posted, ToADescriptorThatIsNotReady) {
  runtime& rt = shared_runtime();
  const pipe_ends pipe = made_pipe();
  std::vector<char> junk(4096, 'x');
  std::size_t filled = 0;
  ::fcntl(pipe.in.get(), F_SETFL, O_NONBLOCK);
  while (::write(pipe.in.get(), junk.data(), junk.size()) > 0) filled += junk.size();
  ::fcntl(pipe.in.get(), F_SETFL, 0);
  constexpr u32 blocks = 50;
  genesys::run run = genesys::launch(rt, {.blocks = {blocks}, .threads = {64}}, post_to_pipe{}, pipe.in.get());
  if (!eventually([&] { return run.finished(); })) give_up(rt, "a posted call was waited for");
  std::atomic<bool> drained{false};
  std::thread drainer([&] {
    drain(rt, run);
    drained = true;
  });
  EXPECT_FALSE(eventually([&] { return drained.load(); }, 0.05)) << "drain() did not wait for the calls";
  std::string got;
  char part[4096];
  while (got.size() < filled + blocks * sizeof(u64)) {
    const ssize_t n = ::read(pipe.out.get(), part, sizeof part);
    if (n <= 0) break;
    got.append(part, static_cast<std::size_t>(n));
  }
  drainer.join();
  ASSERT_EQ(got.size(), filled + blocks * sizeof(u64));
  std::vector<u64> words(blocks);
  std::memcpy(words.data(), got.data() + filled, blocks * sizeof(u64));
  std::sort(words.begin(), words.end());
  for (u32 b = 0; b < blocks; ++b) EXPECT_EQ(words[b], b);
}

struct post_wrongly {
  GENESYS_KERNEL void operator()(genesys::os os, const u8* large) const {
    os.posted().close(-1);
    os.posted().syscall(SYS_lseek, -1, 0, 0);
    os.posted().write(1, large, 3 << 20);  // device memory, too much to stage
    os.posted().pwrite64(-1, large, 100, 0);
  }
};

TEST(Posted, FailuresAreCounted) {
  runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  on_device<u8> large(rt, 3 << 20);
  play(rt, {.blocks = {1}, .threads = {3}}, post_wrongly{}, static_cast<const u8*>(large.get()));
  EXPECT_EQ(rt.stats().posted, 12u);
  EXPECT_EQ(rt.stats().posted_failed, 12u);
}

// The runtime ends before posted calls and tickets are complete: it does not hang, and it reports them.
struct post_and_wait {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, long* value) const {
    u64 word = 1;
    os.posted().write(pipe, &word, sizeof word);
    auto call = os.ticket().write(pipe, &word, sizeof word);
    *value = call.wait();
  }
};

TEST(Later, TheEndOfTheRuntimeCancels) {
  runtime& other = shared_runtime();
  on_device<long> value(other, 1);
  const pipe_ends pipe = made_pipe();
  std::vector<char> junk(4096, 'x');
  ::fcntl(pipe.in.get(), F_SETFL, O_NONBLOCK);
  while (::write(pipe.in.get(), junk.data(), junk.size()) > 0) {
  }
  ::fcntl(pipe.in.get(), F_SETFL, 0);
  testing::internal::CaptureStderr();
  std::optional<genesys::run> run;
  {
    runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
    run = genesys::launch(rt, {}, post_and_wait{}, pipe.in.get(), value.get());
    if (!eventually([&] { return rt.stats().parked == 2; })) give_up(rt, "the calls were not parked");
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("1 posted calls were not made"), std::string::npos) << said;
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  EXPECT_EQ(value.take()[0], -ECANCELED);
}

TEST(Later, MoreRunsThanThereAreNumbersFor) {
  runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  std::vector<genesys::run> runs;
  try {
    for (u32 i = 0; i < 4000; ++i) runs.push_back(rt.attach());
    FAIL() << "no error";
  } catch (const genesys::error& refused) {
    EXPECT_EQ(refused.code(), genesys::error_code::bad_option);
    EXPECT_EQ(runs.size(), 2047u);
  }
  runs.pop_back();
  runs.push_back(rt.attach());
}

}  // namespace
}  // namespace contract
