// SPDX-License-Identifier: Apache-2.0
// Calls after a ticket's call: they are made when it is complete, in chains, up to a limit, and the end of the runtime
// cancels them.
#include <optional>
#include <sstream>

#include "scopes.h"

namespace contract {
namespace {

using genesys::thread_scope;

GENESYS_KERNEL void wait_for_the_host(u32* go) {
  while (genesys::atomic<u32, thread_scope::system>(*go).load() == 0) genesys::pause(1000);
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

// A dependent that waits keeps the block and the warp of its leader, which the report names.
struct follow_in_one_warp {
  GENESYS_KERNEL void operator()(genesys::os os, int source, int sink, long* value) const {
    using namespace genesys;
    if (block_rank() != 2 || warp_rank() != 1 || lane() != 0) return;
    u64 word = 0;
    auto reading = os.ticket().read(source, &word, sizeof word);
    auto writing = os.after(reading).ticket().write(sink, "a", 1);
    *value = reading.wait() + writing.wait();
  }
};

TEST(DependentCalls, KeepTheBlockAndTheWarpOfTheirLeader) {
  runtime& rt = shared_runtime();
  const pipe_ends source = made_pipe(), sink = made_pipe();
  on_device<long> value(rt, 1);
  auto run =
      start(rt, {.blocks = {3}, .threads = {64}}, follow_in_one_warp{}, source.out.get(), sink.in.get(), value.get());
  std::string waiting;
  EXPECT_TRUE(eventually([&] {
    std::stringstream report;
    rt.report(report);
    while (std::getline(report, waiting)) {
      if (waiting.find("waits for an earlier call") != std::string::npos) return true;
    }
    return false;
  }));
  EXPECT_NE(waiting.find("block 2 warp 1 "), std::string::npos) << waiting;
  const u64 word = 4711;
  ASSERT_EQ(::write(source.in.get(), &word, sizeof word), 8);
  run.finish();
  EXPECT_EQ(value.take()[0], 9);
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

}  // namespace
}  // namespace contract
