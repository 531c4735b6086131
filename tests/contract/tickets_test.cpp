// SPDX-License-Identifier: Apache-2.0
// Calls without a blocking wait: tickets, which are waited for later, and posted calls, which are never waited for.
// They overlap, they wait for descriptors after their callers have gone on or left, and none of them is lost.
#include <algorithm>
#include <optional>
#include <sstream>

#include "scopes.h"

namespace contract {
namespace {

using genesys::thread_scope;

// --- Tickets.

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

GENESYS_KERNEL void wait_for_the_host(u32* go) {
  while (genesys::atomic<u32, thread_scope::system>(*go).load() == 0) genesys::pause(1000);
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

// A call after a ticket's call.
struct call_after {
  GENESYS_KERNEL void operator()(genesys::os os, int source, int sink, u32* gone_on, u32* go, long* values) const {
    using namespace genesys;
    const auto io = os.on(block());
    u64 word = 0;
    long said[3];
    auto reading = io.ticket().read(source, &word, sizeof word);
    if (thread_rank() == 0) atomic<u32, thread_scope::system>(*gone_on).store(1);
    said[0] = io.after(reading).write(sink, "after", 5);
    wait_for_the_host(go);
    said[1] = reading.wait();
    said[2] = io.after(reading).write(sink, "again", 5);  // after a completed wait: at once
    if (thread_rank() != 0) return;
    for (int i = 0; i < 3; ++i) values[i] = said[i];
    values[3] = static_cast<long>(word);
  }
};

TEST(Tickets, ADependentCall) {
  runtime& rt = shared_runtime();
  const pipe_ends source = made_pipe(), sink = made_pipe();
  in_arena<u32> gone_on(rt, 1), go(rt, 1);
  gone_on[0] = go[0] = 0;
  on_device<long> values(rt, 4);
  auto run = start(rt, {.blocks = {1}, .threads = {64}}, call_after{}, source.out.get(), sink.in.get(), gone_on.get(),
                   go.get(), values.get());
  ASSERT_TRUE(eventually([&] { return std::atomic_ref<u32>(gone_on[0]).load() == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  char text[16] = {};
  ::fcntl(sink.out.get(), F_SETFL, O_NONBLOCK);
  EXPECT_EQ(::read(sink.out.get(), text, sizeof text), -1) << "the call was made before the one that it follows ended";
  const u64 word = 4711;
  ASSERT_EQ(::write(source.in.get(), &word, sizeof word), 8);
  EXPECT_TRUE(eventually([&] { return ::read(sink.out.get(), text, sizeof text) == 5; }));
  EXPECT_STREQ(text, "after");
  std::atomic_ref<u32>(go[0]).store(1);
  run.finish();
  EXPECT_EQ(values.take(), (std::vector<long>{5, 8, 5, 4711}));
}

// A chain of dependent calls whose first call waits. Their caller does not wait.
template <at scope>
struct queue_up {
  GENESYS_KERNEL void operator()(genesys::os os, int source, int sink, u32* gone_on, long* values) const {
    using namespace genesys;
    const auto io = bound<scope>(os);
    u64 word = 0;
    auto reading = io.ticket().read(source, &word, sizeof word);
    auto first = io.after(reading).ticket().write(sink, "a", 1);
    auto second = io.after(first).ticket().write(sink, "b", 1);
    io.after(second).posted().write(sink, "c", 1);
    io.after(second).posted().syscall(SYS_close, -1);
    if (thread_rank() == 0) atomic<u32, thread_scope::system>(*gone_on).store(1);
    const long b = second.wait(), a = first.wait(), r = reading.wait();
    if (thread_rank() != 0) return;
    values[0] = r;
    values[1] = a;
    values[2] = b;
    values[3] = static_cast<long>(word);
  }
};

template <at scope>
void check_queue(u32 threads) {
  runtime rt({.workers = 2, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
  const pipe_ends source = made_pipe(), sink = made_pipe();
  in_arena<u32> gone_on(rt, 1);
  gone_on[0] = 0;
  on_device<long> values(rt, 4);
  auto run = start(rt, {.blocks = {1}, .threads = {threads}}, queue_up<scope>{}, source.out.get(), sink.in.get(),
                   gone_on.get(), values.get());
  if (!eventually([&] { return std::atomic_ref<u32>(gone_on[0]).load() == 1; }))
    give_up(rt, "the caller of a call that follows another was held up");
  std::ostringstream report;
  const auto are_listed = [&] {
    report.str("");
    rt.report(report);
    return report.str().find("4 waiting for earlier calls") != std::string::npos;
  };
  EXPECT_TRUE(eventually(are_listed)) << report.str();
  EXPECT_NE(report.str().find("waits for an earlier call"), std::string::npos);
  char text[16] = {};
  ::fcntl(sink.out.get(), F_SETFL, O_NONBLOCK);
  EXPECT_EQ(::read(sink.out.get(), text, sizeof text), -1) << "a call was made before the one that it follows ended";
  const u64 word = 4711;
  ASSERT_EQ(::write(source.in.get(), &word, sizeof word), 8);
  run.finish();
  EXPECT_EQ(::read(sink.out.get(), text, sizeof text), 3);
  EXPECT_STREQ(text, "abc");
  EXPECT_EQ(values.take(), (std::vector<long>{8, 1, 1, 4711}));
  EXPECT_EQ(rt.stats().posted, 2u);
  EXPECT_EQ(rt.stats().posted_failed, 1u);
}

TEST(DependentCalls, ManyThatWaitAtThreadScope) { check_queue<at::thread>(1); }
TEST(DependentCalls, ManyThatWaitAtBlockScope) { check_queue<at::block>(96); }

// Chains of writes to one place each. The last call of a chain reads the place.
struct chains {
  static constexpr u32 length = 7, lanes = 4;
  GENESYS_KERNEL void operator()(genesys::os os, int file, u32 rounds, u32* wrong) const {
    using namespace genesys;
    if (lane() >= lanes) return;
    const u32 me = (block_rank() * threads_in_block() + thread_rank()) / warp_lanes * lanes + lane();
    u32 bad = 0;
    for (u32 r = 0; r < rounds; ++r) {
      ticket_of<call::pwrite64> steps[length];
      u64 word = u64{r} << 32;
      steps[0] = os.ticket().pwrite64(file, &word, sizeof word, 8 * me);
      for (u32 i = 1; i < length; ++i) {
        ++word;
        steps[i] = os.after(steps[i - 1]).ticket().pwrite64(file, &word, sizeof word, 8 * me);
      }
      u64 got = 0;
      bad += os.after(steps[length - 1]).pread64(file, &got, sizeof got, 8 * me) != sizeof got || got != word;
      for (u32 i = 0; i < length; ++i) bad += steps[i].wait() != sizeof word;
      // After a ticket that was waited for, or after none: at once.
      bad += r == 0 && (os.after(steps[0]).getppid() <= 0 || os.after(ticket_of<call::pwrite64>()).getppid() <= 0);
    }
    wrong[me] = bad;
  }
};

TEST(DependentCalls, Chains) {
  runtime& rt = shared_runtime();
  folder in;
  const descriptor file = made_file(in, "file", "");
  constexpr u32 blocks = 6, threads = 128, all = blocks * threads / 32 * chains::lanes;
  on_device<u32> wrong(rt, all);
  play(rt, {.blocks = {blocks}, .threads = {threads}}, chains{}, file.get(), sanitized ? 5u : 40u, wrong.get());
  for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
}

// Calls after a call that waits for ever: beyond the limit they are refused, and the end of the runtime cancels the
// rest.
struct call_after_in_vain {
  GENESYS_KERNEL void operator()(genesys::os os, int source, u32 count, long* value) const {
    u64 word = 0;
    auto reading = os.ticket().read(source, &word, sizeof word);
    for (u32 i = 0; i < count; ++i) os.after(reading).posted().syscall(SYS_getppid);
    auto last = os.after(reading).ticket().getppid();
    value[0] = last.wait();
    value[1] = reading.wait();
  }
};

TEST(DependentCalls, NoMoreThanAreAllowed) {
  runtime rt({.workers = 2, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20, .parked_max = 2});
  const pipe_ends source = made_pipe();
  on_device<long> value(rt, 2);
  auto run = start(rt, {}, call_after_in_vain{}, source.out.get(), 5u, value.get());
  EXPECT_TRUE(eventually([&] { return rt.stats().posted_failed == 3; }));
  const u64 word = 1;
  ASSERT_EQ(::write(source.in.get(), &word, sizeof word), 8);
  run.finish();
  EXPECT_EQ(value.take(), (std::vector<long>{-EAGAIN, 8}));
  EXPECT_EQ(rt.stats().posted, 5u);
}

TEST(DependentCalls, TheEndOfTheRuntimeCancels) {
  runtime& other = shared_runtime();
  on_device<long> value(other, 2);
  const pipe_ends source = made_pipe();
  testing::internal::CaptureStderr();
  std::optional<genesys::run> run;
  {
    runtime rt({.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20});
    run = genesys::launch(rt, {}, call_after_in_vain{}, source.out.get(), 2u, value.get());
    std::ostringstream report;
    const auto are_held = [&] {
      report.str("");
      rt.report(report);
      return report.str().find("3 waiting for earlier calls") != std::string::npos;
    };
    if (!eventually(are_held)) give_up(rt, "the calls were not put aside");
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("2 posted calls were not made"), std::string::npos) << said;
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  EXPECT_EQ(value.take(), (std::vector<long>{-ECANCELED, -ECANCELED}));
}

// --- Posted calls.

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
