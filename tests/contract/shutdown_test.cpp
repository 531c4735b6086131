// SPDX-License-Identifier: Apache-2.0
// The end of a runtime: waiting and later calls get -ECANCELED, kernels end, and the destructor returns. And several
// runtimes, one after another and side by side.
#include <sys/stat.h>

#include <atomic>
#include <optional>

#include "contract.h"

namespace contract {
namespace {

struct until_canceled {
  // Half of the lanes read from a pipe that stays empty. The others get an answer, and are counted in `answered`. Then
  // all call again and again until a call is canceled. The results lie in memory of another runtime, which outlives
  // this one.
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, long* first, long* last, u32* answered) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    u64 word = 0;
    if (lane() % 2 == 0) {
      first[me] = os.read(pipe, &word, sizeof word);
    } else {
      first[me] = os.on(thread{}).syscall(SYS_getppid);
      atomic<u32, thread_scope::system>(*answered).fetch_add(1);
    }
    long said = 0;
    do {
      said = os.getppid();
    } while (said != -ECANCELED);
    last[me] = said;
  }
};

TEST(End, CallsThatWaitAndLaterOnesAreCanceled) {
  runtime& other = shared_runtime();
  constexpr u32 blocks = 3, threads = 64, all = blocks * threads;
  on_device<long> first(other, all), last(other, all);
  in_arena<u32> answered(other, 1);
  answered[0] = 0;
  const pipe_ends pipe = made_pipe();
  std::optional<genesys::run> run;
  auto begin = std::chrono::steady_clock::now();
  {
    runtime rt({.shutdown_timeout_ms = sanitized ? 20'000u : 5000u});
    run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, until_canceled{}, pipe.out.get(), first.get(),
                          last.get(), answered.get());
    const bool parked =
        eventually([&] { return std::atomic_ref<u32>(answered[0]).load() == all / 2 && rt.stats().parked >= all / 2; });
    if (!parked) give_up(rt, "the reads were not parked");
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), sanitized ? 20 : 4);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  const auto firsts = first.take(), lasts = last.take();
  for (u32 i = 0; i < all; ++i) {
    EXPECT_EQ(firsts[i], i % 2 == 0 ? long{-ECANCELED} : ::getppid()) << i;
    EXPECT_EQ(lasts[i], -ECANCELED) << i;
  }
}

// Takes tickets when no thread of the runtime serves any more, so that they and their bounce buffers stay taken.
struct tickets_after_the_end {
  static constexpr u32 tickets = 300;  // more than a warp may have
  GENESYS_KERNEL void operator()(genesys::os os, u32* told_to_go_on, u32* wrong) const {
    using namespace genesys;
    const atomic<u32, thread_scope::system> go_on(*told_to_go_on);
    while (go_on.load() == 0) pause(1000);
    const char text[100] = {};
    for (u32 i = 0; i < tickets; ++i) {
      auto short_one = os.ticket().getppid();
      auto staged = os.ticket().pwrite64(0, text, sizeof text, 0);
      if (short_one.wait() != -ECANCELED) atomic<u32>(*wrong).fetch_add(1);
      if (staged.wait() != -ECANCELED) atomic<u32>(*wrong).fetch_add(1);
    }
  }
};

// A lane that tries again after -EAGAIN ends, too.
TEST(End, LaterTicketsAreCanceled) {
  runtime& other = shared_runtime();
  on_device<u32> wrong(other, 1);
  wrong.fill(0);
  in_arena<u32> go_on(other, 1);
  go_on[0] = 0;
  std::optional<genesys::run> run;
  testing::internal::CaptureStderr();
  {
    runtime rt({.arena_bytes = 4u << 20, .bounce_bytes = 16u << 20, .shutdown_timeout_ms = 20});
    run = genesys::launch(rt, {.blocks = {1}, .threads = {32}}, tickets_after_the_end{}, go_on.get(), wrong.get());
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a kernel still runs"), std::string::npos);
  std::atomic_ref<u32>(go_on[0]).store(1);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  EXPECT_EQ(wrong.take()[0], 0u);
}

// Calls on, whatever the results, until the host sets a word.
struct persistent {
  GENESYS_KERNEL void operator()(genesys::os os, u32* told_to_end, u32* turns, long* last) const {
    using namespace genesys;
    const atomic<u32, thread_scope::system> end(*told_to_end), count(*turns);
    const auto io = os.on(block());
    long said = 0;
    do {
      said = io.getppid();
      if (thread_rank() == 0) count.fetch_add(1);
      pause(1000);
    } while (sync_block_count(end.load() != 0) == 0);
    last[block_rank() * threads_in_block() + thread_rank()] = said;
  }
};

// The runtime ends in time and reports the kernel that it leaves behind. The kernel runs on and ends later.
TEST(End, UnderAPersistentKernel) {
  runtime& other = shared_runtime();
  constexpr u32 blocks = 2, threads = 64;
  in_arena<u32> words(other, 2);  // told_to_end, turns
  words[0] = words[1] = 0;
  on_device<long> last(other, blocks * threads);
  const auto turns = [&] { return std::atomic_ref<u32>(words[1]).load(); };
  std::optional<genesys::run> run;
  auto begin = std::chrono::steady_clock::now();
  testing::internal::CaptureStderr();
  {
    runtime rt({.arena_bytes = 4u << 20, .bounce_bytes = 16u << 20, .shutdown_timeout_ms = 300});
    run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, persistent{}, words.get(), words.get() + 1,
                          last.get());
    if (!eventually([&] { return turns() > 10; })) give_up(rt, "the kernel does not run");
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), sanitized ? 30 : 2);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("a kernel still runs after 300 ms"), std::string::npos) << said;
  const u32 then = turns();
  EXPECT_TRUE(eventually([&] { return turns() > then + 10; })) << "its calls are not answered any more";
  EXPECT_FALSE(run->finished());
  std::atomic_ref<u32>(words[0]).store(1);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  for (const long value : last.take()) EXPECT_EQ(value, -ECANCELED);
}

struct read_by_grid {
  GENESYS_KERNEL void operator()(genesys::os os, int pipe, char* buffer, long* values, u32* begun) const {
    using namespace genesys;
    if (thread_rank() == 0) atomic<u32, thread_scope::system>(*begun).fetch_add(1);
    values[block_rank() * threads_in_block() + thread_rank()] = os.on(grid()).relaxed().read(pipe, buffer, 8);
  }
};

// One block's call waits in the runtime, and the other blocks wait for that block.
TEST(End, UnderACallOfAGrid) {
  runtime& other = shared_runtime();
  constexpr u32 blocks = 8, threads = 64;
  on_device<long> values(other, blocks * threads);
  on_device<char> buffer(other, 8);
  in_arena<u32> begun(other, 1);
  begun[0] = 0;
  const pipe_ends pipe = made_pipe();
  std::optional<genesys::run> run;
  auto begin = std::chrono::steady_clock::now();
  {
    runtime rt({.shutdown_timeout_ms = sanitized ? 20'000u : 5000u});
    run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, read_by_grid{}, pipe.out.get(), buffer.get(),
                          values.get(), begun.get());
    const bool waits =
        eventually([&] { return std::atomic_ref<u32>(begun[0]).load() == blocks && rt.stats().parked > 0; });
    if (!waits) give_up(rt, "the read was not parked");
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), sanitized ? 20 : 4);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  for (const long value : values.take()) EXPECT_EQ(value, -ECANCELED);
}

struct parent_of_all {
  GENESYS_KERNEL void operator()(genesys::os os, u32 rounds, long parent, u32* wrong) const {
    const auto io = os.on(genesys::block{});
    u32 bad = 0;
    for (u32 i = 0; i < rounds; ++i) bad += (os.getppid() != parent) + (io.getppid() != parent);
    wrong[genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank()] = bad;
  }
};

struct open_for_ever {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, long* values, u32* begun) const {
    using namespace genesys;
    atomic<u32, thread_scope::system>(*begun).fetch_add(1);
    values[block_rank()] = os.openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  }
};

// Linux cannot cancel these calls. The runtime leaves them and their memory behind.
TEST(End, CallsThatAreStuckInLinuxAreLeftBehind) {
  runtime& other = shared_runtime();
  constexpr u32 stuck = 3;
  folder in;
  const std::string path = in / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  in_arena<char> name(other, path.size() + 1);
  std::memcpy(name.get(), path.c_str(), path.size() + 1);
  in_arena<u32> begun(other, 1);
  begun[0] = 0;
  on_device<long> values(other, stuck);
  std::optional<genesys::run> run;
  auto begin = std::chrono::steady_clock::now();
  {
    runtime rt({.workers = 1, .arena_bytes = 4u << 20, .bounce_bytes = 16u << 20, .shutdown_timeout_ms = 300});
    char* own_name = static_cast<char*>(rt.allocate_arena(path.size() + 1));
    std::memcpy(own_name, path.c_str(), path.size() + 1);
    run = genesys::launch(rt, {.blocks = {stuck}}, open_for_ever{}, static_cast<const char*>(own_name), values.get(),
                          begun.get());
    const auto all_in = [&] {
      std::ostringstream text;
      rt.report(text);
      return text.str().find(std::to_string(stuck) + " in Linux") != std::string::npos;
    };
    if (!eventually(all_in)) give_up(rt, "the calls are not in Linux");
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(seconds_since(begin), sanitized ? 30 : 5);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  for (const long value : values.take()) EXPECT_EQ(value, -ECANCELED);
  const descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // lets their threads end
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

struct post_behind_an_open {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, int file) const {
    os.posted().openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    for (u32 i = 0; i < 5; ++i) os.posted().pwrite64(file, path, 1, i);
  }
};

// The only worker does not come back from Linux. The requests behind it are canceled and counted. (The worker stays
// awake, so that no other thread serves for it.)
TEST(End, RequestsBehindACallThatIsStuckAreCounted) {
  folder in;
  const std::string path = in / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const descriptor file = made_file(in, "file", "");
  std::optional<genesys::run> run;
  testing::internal::CaptureStderr();
  {
    runtime rt({.executor = genesys::executor_kind::threads,
                .workers = 1,
                .workers_max = 1,
                .arena_bytes = 1u << 20,
                .bounce_bytes = 16u << 20,
                .idle_us = 1'000'000,
                .shutdown_timeout_ms = 100});
    char* const name = static_cast<char*>(rt.allocate_arena(path.size() + 1));
    std::memcpy(name, path.c_str(), path.size() + 1);
    run = genesys::launch(rt, {.blocks = {1}, .threads = {1}}, post_behind_an_open{}, static_cast<const char*>(name),
                          file.get());
    const auto is_in_linux = [&] {
      std::ostringstream text;
      rt.report(text);
      return text.str().find("1 in Linux") != std::string::npos;
    };
    if (!eventually([&] { return run->finished() && is_in_linux(); })) give_up(rt, "the call is not in Linux");
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("5 posted calls were not made"), std::string::npos) << said;
  EXPECT_NE(said.find("1 calls have not come back"), std::string::npos) << said;
  const descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // lets the worker end
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(content_of(file.get()), "") << "the worker went on after the runtime had ended";
}

// For runtimes that start quickly and take little memory.
genesys::options small_options() { return {.workers = 1, .arena_bytes = 1u << 20, .bounce_bytes = 16u << 20}; }

TEST(End, RuntimesAfterOneAnother) {
  for (int i = 0; i < 5; ++i) {
    runtime rt(small_options());
    on_device<u32> wrong(rt, 128);
    play(rt, {.blocks = {2}, .threads = {64}}, parent_of_all{}, 5u, long{::getppid()}, wrong.get());
    for (const u32 bad : wrong.take()) EXPECT_EQ(bad, 0u);
  }
}

TEST(End, RuntimesSideBySide) {
  runtime one(small_options()), two(small_options());
  on_device<u32> wrong_one(one, 128), wrong_two(two, 128);
  {
    launched first =
        start(one, {.blocks = {2}, .threads = {64}}, parent_of_all{}, 20u, long{::getppid()}, wrong_one.get());
    launched second =
        start(two, {.blocks = {2}, .threads = {64}}, parent_of_all{}, 20u, long{::getppid()}, wrong_two.get());
  }
  for (const u32 bad : wrong_one.take()) EXPECT_EQ(bad, 0u);
  for (const u32 bad : wrong_two.take()) EXPECT_EQ(bad, 0u);
  EXPECT_EQ(one.stats().calls.at("getppid"), (128u + 2u) * 20u);
  EXPECT_EQ(two.stats().calls.at("getppid"), (128u + 2u) * 20u);
}

TEST(End, ARuntimeThatDidNothing) {
  for (int i = 0; i < 3; ++i) runtime rt(small_options());
}

}  // namespace
}  // namespace contract
