// SPDX-License-Identifier: Apache-2.0
// How the executor `direct` differs from the others: kernels fill io_uring rings themselves. (With
// GENESYS_EXECUTOR=direct all other tests run with it, too.)
#include <algorithm>
#include <filesystem>
#include <optional>

#include "direct.h"

namespace contract {
namespace {

constexpr u32 piece_bytes = 512;

// Each thread reads pieces of one file in an order of its own, sometimes together with its warp and sometimes alone. It
// writes what it read to its own piece of another file.
struct read_and_write {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u64 pieces, u32 times, u8* buffers,
                                 u32* wrong) const {
    using namespace genesys;
    const u64 me = u64{block_rank()} * threads_in_block() + thread_rank();
    u8* const mine = buffers + me * piece_bytes;
    u64 last = 0;
    for (u32 i = 0; i < times; ++i) {
      last = (me * 7 + u64{i} * 13) % pieces;
      if (i % 3 == 1 && thread_rank() % 2 == 0) pause(500);
      long said = os.pread64(from, mine, piece_bytes, static_cast<off_t>(last * piece_bytes));
      if (said != piece_bytes) atomic<u32>(*wrong).fetch_add(1);
      for (u32 k = 0; k < piece_bytes; k += 37) {
        if (mine[k] != pattern(last * piece_bytes + k)) atomic<u32>(*wrong).fetch_add(1);
      }
      said = os.pwrite64(to, mine, piece_bytes, static_cast<off_t>(me * piece_bytes));
      if (said != piece_bytes) atomic<u32>(*wrong).fetch_add(1);
    }
    if (os.fsync(to) != 0) atomic<u32>(*wrong).fetch_add(1);
  }
};

class DirectRings : public testing::TestWithParam<std::pair<u32, u32>> {};

TEST_P(DirectRings, CompleteEachCallOnce) {
  const auto [rings, entries] = GetParam();
  runtime rt(direct_with(rings, entries));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 all = 256, times = 12, pieces = 97;
  const u32 threads = fitting_threads(64, entries), blocks = all / threads;
  const folder in;
  const descriptor from = made_file(in, "from", patterned(pieces * piece_bytes)), to = made_file(in, "to", "");
  const in_arena<u8> buffers(rt, u64{all} * piece_bytes);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  play(rt, {.blocks = {blocks}, .threads = {threads}}, read_and_write{}, from.get(), to.get(), u64{pieces}, times,
       buffers.get(), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  const genesys::statistics said = rt.stats();
  EXPECT_EQ(said.direct_calls, all * (2 * times + 1));
  EXPECT_EQ(said.completed, said.direct_calls);
  const std::string written = content_of(to.get()), read = patterned(pieces * piece_bytes);
  ASSERT_EQ(written.size(), all * piece_bytes);
  for (u64 t = 0; t < all; ++t) {
    const u64 last = (t * 7 + u64{times - 1} * 13) % pieces;
    EXPECT_EQ(written.substr(t * piece_bytes, piece_bytes), read.substr(last * piece_bytes, piece_bytes)) << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DirectRings,
                         testing::Values(std::pair{1u, 2u}, std::pair{1u, 8u}, std::pair{3u, 64u},
                                         std::pair{2u, 4096u}),
                         [](const auto& info) {
                           return std::to_string(info.param.first) + "of" + std::to_string(info.param.second);
                         });

struct ask_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32 times, u64 gap_ns, long* said) const {
    for (u32 i = 0; i < times; ++i) {
      const u64 begin = genesys::clock_ns();
      while (genesys::clock_ns() - begin < gap_ns) genesys::pause(1000);
      said[i] = os.fdatasync(fd);
    }
  }
};

// Linux's thread of the ring sleeps after two milliseconds. The monitor wakes it for each call.
TEST(Direct, TheMonitorWakesLinux) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 times = 20;
  const folder in;
  const descriptor file = made_file(in, "file", "x");
  const in_arena<long> said(rt, times);
  play(rt, {}, ask_now_and_then{}, file.get(), times, u64{10'000'000}, said.get());
  for (u32 i = 0; i < times; ++i) EXPECT_EQ(said[i], 0) << i;
  EXPECT_EQ(rt.stats().direct_calls, times);
}

// After a long silence the monitor looks less often, but it still looks.
TEST(Direct, TheMonitorWakesLinuxAfterALongSilence) {
  genesys::options chosen = direct_with(1, 8);
  chosen.monitor_us = 50;
  runtime rt(chosen);
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  constexpr u32 times = 2;
  const folder in;
  const descriptor file = made_file(in, "file", "x");
  const in_arena<long> said(rt, times);
  play(rt, {}, ask_now_and_then{}, file.get(), times, u64{1'100'000'000}, said.get());
  for (u32 i = 0; i < times; ++i) EXPECT_EQ(said[i], 0) << i;
  EXPECT_EQ(rt.stats().direct_calls, times);
}

struct sync_each {
  GENESYS_KERNEL void operator()(genesys::os os, const int* fds, long* said) const {
    const u32 me = genesys::thread_rank();
    said[me] = os.fsync(fds[me]);
  }
};

TEST(Direct, DescriptorsOfTheHostAreOutOfReach) {
  runtime rt(direct_with(2, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  std::vector<int> fds;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(one.path(), gone).string().find("[io_uring]") != std::string::npos)
      fds.push_back(std::stoi(one.path().filename().string()));
  }
  ASSERT_GE(fds.size(), 2u);
  fds.push_back(-1);
  fds.push_back(60'000);   // not open
  fds.push_back(1 << 20);  // beyond the descriptors in the host's table
  const on_device<int> given(rt, fds);
  const on_device<long> said(rt, fds.size());
  play(rt, {.threads = {static_cast<u32>(fds.size())}}, sync_each{}, given.get(), said.get());
  for (const long one : said.take()) EXPECT_EQ(one, -EBADF);
}

struct ask_the_impossible {
  GENESYS_KERNEL void operator()(genesys::os os, int file, int pipe, char* buffer, long* said) const {
    said[0] = os.pread64(file, buffer, 8, -1);
    said[1] = os.pread64(pipe, buffer, 8, 0);
    said[2] = os.pread64(file, buffer, 8, 100);
    said[3] = os.pread64(file, nullptr, 8, 0);
    said[4] = os.pwrite64(file, buffer, 0, 0);
    said[5] = os.fallocate(file, 0, 0, 0);
    said[6] = os.sync_file_range(file, 0, 0, 64);
  }
};

TEST(Direct, ErrorsAreLinuxs) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const folder in;
  const descriptor file = made_file(in, "file", "12345678");
  const pipe_ends pipe = made_pipe();
  const in_arena<char> buffer(rt, 8);
  const in_arena<long> said(rt, 7);
  play(rt, {}, ask_the_impossible{}, file.get(), pipe.out.get(), buffer.get(), said.get());
  const long expected[] = {-EINVAL, -ESPIPE, 0, -EFAULT, 0, -EINVAL, -EINVAL};
  for (u32 i = 0; i < std::size(expected); ++i) EXPECT_EQ(said[i], expected[i]) << i;
}

// A descriptor's number belongs to a file and then to a pipe, in each way in which that can happen.
struct become_a_pipe {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, int pipe, char* buffer, long* said) const {
    for (u32 how = 0; how < 4; ++how) {
      const int fd = static_cast<int>(os.openat(AT_FDCWD, path, O_RDONLY));
      said[3 * how] = os.pread64(fd, buffer, 8, 0);
      said[3 * how + 1] = os.pread64(fd, buffer, 8, 0);  // the ring has the file registered
      if (how == 0) (void)os.dup3(pipe, fd, 0);
      if (how == 1) (void)os.close(fd);
      if (how == 2) (void)os.ticket().close(fd).wait();
      if (how == 3) (void)os.syscall(SYS_close_range, fd, fd, 0);
      if (how != 0) (void)os.dup3(pipe, fd, 0);
      said[3 * how + 2] = os.pread64(fd, buffer, 8, 0);
      (void)os.close(fd);
    }
  }
};

TEST(Direct, ADescriptorThatBecomesAPipe) {
  runtime rt(direct_with(1, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const folder in;
  const descriptor file = made_file(in, "file", "12345678");
  const pipe_ends pipe = made_pipe();
  const std::string name = in / "file";
  in_arena<char> path(rt, name.size() + 1);
  std::memcpy(path.get(), name.c_str(), name.size() + 1);
  const in_arena<char> buffer(rt, 8);
  const in_arena<long> said(rt, 12);
  play(rt, {}, become_a_pipe{}, path.get(), pipe.out.get(), buffer.get(), said.get());
  for (u32 how = 0; how < 4; ++how) {
    EXPECT_EQ(said[3 * how], 8) << how;
    EXPECT_EQ(said[3 * how + 1], 8) << how;
    EXPECT_EQ(said[3 * how + 2], -ESPIPE) << how;
  }
  EXPECT_EQ(rt.stats().direct_calls, 8u);
}

TEST(Direct, NotWherePoliciesLook) {
  genesys::options chosen = direct_with(1, 8);
  chosen.policy = "io";
  const runtime io(chosen);
  EXPECT_FALSE(is_direct(io));
  EXPECT_NE(io.describe().find("(direct: the policy looks at each call)"), std::string::npos) << io.describe();
  chosen.policy = "all";
  chosen.calls_per_second = 1'000'000;
  const runtime limited(chosen);
  EXPECT_FALSE(is_direct(limited));
  EXPECT_EQ(limited.stats().direct_calls, 0u);
}

TEST(Direct, OptionsThatMakeNoSense) {
  for (const u32 entries : {1u, 3u, 32768u}) EXPECT_THROW(runtime(direct_with(1, entries)), genesys::error) << entries;
  EXPECT_THROW(runtime(direct_with(17, 8)), genesys::error);
}

// Reads again and again until the host sets a word.
struct read_on {
  GENESYS_KERNEL void operator()(genesys::os os, int file, u8* buffers, const u32* told_to_end, u32* turns,
                                 long* last) const {
    using namespace genesys;
    const u32 me = block_rank() * threads_in_block() + thread_rank();
    const atomic<u32, thread_scope::system> end(const_cast<u32&>(*told_to_end)), count(*turns);
    long said = 0;
    do {
      said = os.pread64(file, buffers + me * piece_bytes, piece_bytes, 0);
      count.fetch_add(1);
      pause(1000);
    } while (end.load() == 0);
    last[me] = said;
  }
};

// The rings close under load: no call waits for ever, and later calls get -ECANCELED.
TEST(Direct, TheEndUnderLoad) {
  runtime& other = shared_runtime();
  constexpr u32 entries = 16, blocks = 4, threads = fitting_threads(32, entries);
  const in_arena<u32> words(other, 2);  // told_to_end, turns
  words[0] = words[1] = 0;
  const on_device<long> last(other, blocks * threads);
  const folder in;
  const descriptor file = made_file(in, "file", patterned(piece_bytes));
  const auto turns = [&] { return std::atomic_ref<u32>(words[1]).load(); };
  std::optional<genesys::run> run;
  testing::internal::CaptureStderr();
  bool direct = false;
  {
    genesys::options chosen = direct_with(1, entries);
    chosen.shutdown_timeout_ms = 300;
    runtime rt(chosen);
    direct = is_direct(rt);
    const in_arena<u8> buffers(rt, blocks * threads * piece_bytes);
    run = genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, read_on{}, file.get(), buffers.get(),
                          words.get(), words.get() + 1, last.get());
    if (!eventually([&] { return turns() > 1000; })) give_up(rt, "the kernel does not run");
    EXPECT_TRUE(!direct || rt.stats().direct_calls > 500);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("a kernel still runs after 300 ms"), std::string::npos) << said;
  const u32 then = turns();
  EXPECT_TRUE(eventually([&] { return turns() > then + 1000; })) << "its calls are not answered any more";
  std::atomic_ref<u32>(words[0]).store(1);
  EXPECT_TRUE(eventually([&] { return run->finished(); }));
  run.reset();
  for (const long value : last.take()) EXPECT_EQ(value, -ECANCELED);
  if (!direct) GTEST_SKIP() << "no executor direct here";
}

}  // namespace
}  // namespace contract
