// SPDX-License-Identifier: Apache-2.0
// Recordings through the public interface: every call is in the file, recording begins and ends while kernels run, and
// kernels cannot reach the file.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>

#include "contract.h"
#include "direct.h"

namespace contract {
namespace {

struct ask_often {
  GENESYS_KERNEL void operator()(genesys::os os, u32 times, long parent, u32* wrong) const {
    for (u32 t = 0; t < times; ++t) {
      if (os.getppid() != parent) genesys::atomic<u32>(*wrong).fetch_add(1);
    }
    os.posted().getpid();
  }
};

// How many calls a recording has (docs/recordings.md, The file). Every section has to be whole. `visit` gets the words
// of each record.
u64 calls_in(const std::string& path, const std::function<void(const u64*)>& visit = {}) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(1024);
  u64 calls = 0;
  struct {
    u32 bytes;
    std::uint16_t kind, worker;
    u64 first;
    u32 count, words;
  } section;
  static_assert(sizeof section == 24);
  while (file.read(reinterpret_cast<char*>(&section), sizeof section)) {
    std::vector<u64> words((section.bytes - sizeof section) / 8);
    file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
    if (section.kind != 1) continue;
    calls += section.count;
    for (u32 at = 0; visit && at < section.words; at += words[at] & 255) visit(&words[at]);
  }
  EXPECT_EQ(file.gcount(), 0) << path;
  return calls;
}

// The executor `direct` has no getppid in its rings, so all these calls pass the workers.
TEST(Trace, RecordsEveryCall) {
  const folder in;
  genesys::options chosen;
  chosen.trace = in / "recording.%r";
  constexpr u32 threads = 64, times = 50;
  u64 recorded;
  {
    runtime rt(chosen);
    const on_device<u32> wrong(rt, std::vector<u32>(1));
    play(rt, {.threads = {threads}}, ask_often{}, times, static_cast<long>(::getppid()), wrong.get());
    EXPECT_EQ(wrong.take()[0], 0u);
    constexpr u64 calls = u64{threads} * (times + 1);
    rt.stop_trace();  // waits for calls that have ended, and are not recorded yet
    recorded = rt.stats().recorded;
    EXPECT_EQ(recorded, calls);
    EXPECT_EQ(rt.stats().recording_dropped, 0u);
    play(rt, {.threads = {threads}}, ask_often{}, times, static_cast<long>(::getppid()), wrong.get());
    EXPECT_EQ(rt.stats().recorded, recorded);
  }
  u64 files = 0, records = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(in / "x").parent_path())) {
    ++files;
    records += calls_in(entry.path());
  }
  EXPECT_EQ(files, 1u);
  EXPECT_EQ(records, recorded);
}

TEST(Trace, IsSwitchedWhileKernelsRun) {
  const folder in;
  runtime rt;
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const launched kernel(rt, genesys::launch(rt, {.threads = {32}}, ask_often{},
                                            rt.kind() == genesys::device_kind::cuda ? 20'000u : 2'000u,
                                            static_cast<long>(::getppid()), wrong.get()));
  for (u32 round = 0; round < 5; ++round) {
    rt.trace(in / "recording");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    rt.stop_trace();
    rt.stop_trace();
    (void)calls_in(in / "recording");
  }
  finish(rt, *kernel);
  EXPECT_EQ(wrong.take()[0], 0u);
}

// A blocking call, a ticket's, and a posted one; each pointer is in the arena, so that a ring makes posted calls too.
struct calls_by_rings {
  GENESYS_KERNEL void operator()(genesys::os os, int from, int to, u32 times, char* memory, u32* wrong) const {
    const u64 me = u64{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank();
    char* const mine = memory + me * 16;
    u32 bad = 0;
    for (u32 t = 0; t < times; ++t) {
      bad += os.pread64(from, mine, 8, 0) != 8;
      auto later = os.ticket().pread64(from, mine + 8, 8, 3);
      bad += later.wait() != 5;
      os.posted().pwrite64(to, mine, 8, static_cast<off_t>(me * 8));
    }
    if (bad != 0) genesys::atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST(Trace, RecordsCallsThroughSharedRings) {
  runtime rt({.executor = genesys::executor_kind::direct});
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const folder in;
  std::ofstream(in / "from") << "8 bytes.";
  const descriptor from(::open((in / "from").c_str(), O_RDONLY)),
      to(::open((in / "to").c_str(), O_RDWR | O_CREAT, 0600));
  constexpr u32 threads = 96, times = 20;
  const in_arena<char> memory(rt, threads * 16);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const auto run = [&] {
    play(rt, {.threads = {threads}}, calls_by_rings{}, from.get(), to.get(), times, memory.get(), wrong.get());
  };
  run();  // not recorded
  const u64 before = rt.stats().direct_calls;
  rt.trace(in / "recording");
  run();
  rt.stop_trace();
  const u64 direct_calls = rt.stats().direct_calls - before;
  EXPECT_EQ(direct_calls, u64{3} * threads * times);
  run();
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().recording_dropped, 0u);
  u64 by_mode[4] = {}, in_rings = 0;
  (void)calls_in(in / "recording", [&](const u64* words) {
    if ((words[0] >> 10 & 3) != 0 || (words[0] >> 59 & 1) != 1) return;  // made_by::kernel
    ++in_rings;
    ++by_mode[words[0] >> 20 & 3];
    const u64 number = words[0] >> 47 & 0xfff;
    EXPECT_EQ(number, static_cast<u64>((words[0] >> 20 & 3) == 2 ? SYS_pwrite64 : SYS_pread64));
  });
  EXPECT_EQ(in_rings, direct_calls);
  for (u32 mode = 0; mode < 3; ++mode) EXPECT_EQ(by_mode[mode], threads * times) << mode;
}

// A recording may begin between the beginning and the end of a call, and end there.
TEST(Trace, IsSwitchedWhileKernelsUseSharedRings) {
  runtime rt({.executor = genesys::executor_kind::direct});
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  const folder in;
  std::ofstream(in / "from") << "8 bytes.";
  const descriptor from(::open((in / "from").c_str(), O_RDONLY)),
      to(::open((in / "to").c_str(), O_RDWR | O_CREAT, 0600));
  constexpr u32 threads = 96;
  const u32 times = rt.kind() == genesys::device_kind::cuda ? 3000 : 500;
  const in_arena<char> memory(rt, threads * 16);
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const launched kernel(rt, genesys::launch(rt, {.threads = {threads}}, calls_by_rings{}, from.get(), to.get(), times,
                                            memory.get(), wrong.get()));
  u64 records = 0;
  for (u32 round = 0; round < 20; ++round) {
    rt.trace(in / "recording");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    rt.stop_trace();
    records += calls_in(in / "recording");
  }
  finish(rt, *kernel);
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(rt.stats().direct_calls, u64{3} * threads * times);
  EXPECT_EQ(records, rt.stats().recorded);
}

struct read_of_each_block {
  GENESYS_KERNEL void operator()(genesys::os os, const int* pipes, char* into, u32 bytes, long* said) const {
    const u32 me = genesys::block_rank();
    said[me] = os.read(pipes[me], into + u64{me} * bytes, bytes);
  }
};

// A read that waits keeps its bounce buffer and is one call, while there are enough. The runtime has four buffers of
// 2 MiB here, of which calls that wait may keep one. So the second read releases its buffer, and is made again.
TEST(Trace, AReadThatWaitsIsOneCallIfItCanKeepItsBuffer) {
  const folder in;
  genesys::options chosen;
  chosen.executor = genesys::executor_kind::threads;
  chosen.bounce_bytes = 30u << 20;
  chosen.trace = in / "recording.%r";
  for (const bool large : {false, true}) {
    const u32 bytes = large ? 1u << 20 : 64;
    runtime rt(chosen);
    const pipe_ends pipes[] = {made_pipe(), made_pipe()};
    const on_device<int> numbers(rt, std::vector<int>{pipes[0].out.get(), pipes[1].out.get()});
    const on_device<char> into(rt, 2 * bytes);
    const on_device<long> said(rt, std::vector<long>(2));
    const u64 before = rt.stats().parked;
    {
      launched run = start(rt, {.blocks = {2}}, read_of_each_block{}, static_cast<const int*>(numbers.get()),
                           into.get(), bytes, said.get());
      ASSERT_TRUE(eventually([&] { return rt.stats().parked >= before + 2; }));
      for (const pipe_ends& each : pipes) EXPECT_EQ(::write(each.in.get(), "x", 1), 1);
    }
    EXPECT_EQ(said.take(), std::vector<long>(2, 1));
    EXPECT_EQ(rt.stats().parked, before + 2);
    rt.stop_trace();
    const u64 two_and_look_ups = 2 + 2;  // each lane may ask what kind of memory it is
    EXPECT_EQ(rt.stats().recorded > two_and_look_ups, large) << rt.stats().recorded << " calls";
  }
}

TEST(Trace, RefusesAFileThatCannotBeMade) {
  runtime rt;
  const folder in;
  try {
    rt.trace(in / "none/recording");
    FAIL();
  } catch (const genesys::error& refused) {
    EXPECT_EQ(refused.code(), genesys::error_code::system);
    EXPECT_NE(std::string(refused.what()).find("none/recording"), std::string::npos);
  }
}

struct read_a_file {
  GENESYS_KERNEL void operator()(genesys::os os, const char* path, char* into, u32* wrong) const {
    const int fd = os.openat(AT_FDCWD, path, O_RDONLY);
    if (os.pread64(fd, into, 64, 0) != 64 || os.close(fd) != 0) genesys::atomic<u32>(*wrong).fetch_add(1);
  }
};

// What arguments point to: also where the kernel's memory is staged, so that Linux wrote to a bounce buffer.
TEST(Trace, RecordsWhatArgumentsPointTo) {
  const folder in;
  const std::string content(64, 'q'), path = in / "what-arguments-point-to";
  std::ofstream(path) << content;
  runtime rt({.executor = genesys::executor_kind::threads});  // calls through shared rings are not recorded
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  const on_device<char> into(rt, std::vector<char>(64));
  const auto recorded = [&](const genesys::recording_content& what) {
    rt.trace(in / "recording", what);
    const u64 before = rt.stats().recorded;
    const auto one = genesys::launch(rt, {.name = "a kernel's name"}, read_a_file{}, rt.attach().copy(path), into.get(),
                                     wrong.get());
    one.drain();
    rt.stop_trace();
    EXPECT_GE(rt.stats().recorded, before + 3);
    std::ifstream file(in / "recording", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string with = recorded({.data_bytes = 32, .paths = true}), without = recorded({.data_bytes = 0});
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_NE(with.find(path), std::string::npos);
  EXPECT_NE(with.find(content.substr(0, 32)), std::string::npos);
  EXPECT_EQ(with.find(content.substr(0, 33)), std::string::npos);
  EXPECT_EQ(without.find(path), std::string::npos);
  EXPECT_EQ(without.find("qqqqqqqq"), std::string::npos);
  EXPECT_NE(with.find("a kernel's name"), std::string::npos);
  try {
    rt.trace(in / "recording", {.data_bytes = 257});
    FAIL();
  } catch (const genesys::error& refused) {
    EXPECT_EQ(refused.code(), genesys::error_code::bad_option);
  }
}

struct read_few_bytes {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32* wrong) const {
    u64 got = 0;
    char more[40];
    bool right = os.pread64(fd, &got, 7, 1) == 7 && got == 0x37363534333231 && os.pread64(fd, more, 40, 8) == 32;
    for (int i = 0; i < 32; ++i) right &= more[i] == 'a' + i % 26;
    if (!right) genesys::atomic<u32>(*wrong).fetch_add(1);
  }
};

// What Linux writes for a short read travels beside the completion, and is in no memory that the recorder can see.
TEST(Trace, RecordsInlineData) {
  const folder in;
  std::ofstream(in / "short") << "01234567abcdefghijklmnopqrstuvwxyzabcdef";
  const descriptor file(::open((in / "short").c_str(), O_RDONLY));
  runtime rt({.executor = genesys::executor_kind::threads});
  rt.grant(file.get());
  const on_device<u32> wrong(rt, std::vector<u32>(1));
  rt.trace(in / "recording", {.data_bytes = 32});
  play(rt, {}, read_few_bytes{}, file.get(), wrong.get());
  rt.stop_trace();
  EXPECT_EQ(wrong.take()[0], 0u);
  std::ifstream recording(in / "recording", std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(recording), {});
  EXPECT_NE(all.find("1234567"), std::string::npos);
  EXPECT_NE(all.find("abcdefghijklmnopqrstuvwxyzabcdef"), std::string::npos);
}

struct fail_and_move {
  GENESYS_KERNEL void operator()(genesys::os os, int fd) const {
    char bytes[10] = {};
    os.write(fd, bytes, sizeof bytes);
    os.close(-1);
  }
};

TEST(Trace, CountsErrorsAndBytes) {
  const folder in;
  const int fd = ::open((in / "x").c_str(), O_WRONLY | O_CREAT, 0600);
  runtime rt;
  play(rt, {.threads = {64}}, fail_and_move{}, fd);
  const genesys::statistics counted = rt.stats();
  EXPECT_EQ(counted.errors, (std::map<std::string, std::uint64_t>{{"close", 64}}));
  EXPECT_EQ(counted.bytes.at("write") + counted.direct_calls * 10, 640u);
  ::close(fd);
}

struct connect_to {
  GENESYS_KERNEL void operator()(genesys::os os, const sockaddr* to, unsigned bytes, const char* ask, char* reply,
                                 long* result) const {
    const int fd = os.socket(AF_UNIX, SOCK_STREAM, 0);
    result[0] = os.connect(fd, to, bytes);
    os.write(fd, ask, 8);
    result[1] = os.read(fd, reply, 128);
    os.close(fd);
  }
};

// The control socket is for other processes: a kernel could otherwise have the host write to a descriptor of its
// choice.
TEST(Trace, KernelsCannotUseTheControlSocket) {
  runtime rt;
  std::ifstream listening("/proc/net/unix");
  std::string name, mine = "@genesys/" + std::to_string(::getpid()) + "/";
  for (std::string line; std::getline(listening, line);) {
    if (const std::size_t at = line.find(mine); at != std::string::npos) name = line.substr(at + 1);
  }
  ASSERT_FALSE(name.empty());
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  name.copy(at.sun_path + 1, sizeof at.sun_path - 1);
  genesys::run run = rt.attach();
  const on_device<long> results(rt, std::vector<long>(2));
  auto* const reply = static_cast<char*>(rt.allocate_arena(128));
  play(rt, {}, connect_to{}, reinterpret_cast<const sockaddr*>(run.copy(at)),
       static_cast<unsigned>(offsetof(sockaddr_un, sun_path) + 1 + name.size()), run.copy("metrics\n"), reply,
       results.get());
  const std::vector<long> found = results.take();
  EXPECT_EQ(found[0], 0);
  ASSERT_GT(found[1], 0);
  EXPECT_EQ(std::string(reply, static_cast<std::size_t>(found[1])),
            "refused: a process cannot look at itself this way\n");
  rt.free_arena(reply);
}

struct look_at_all {
  GENESYS_KERNEL void operator()(genesys::os os, u32 count, long* results) const {
    for (u32 fd = 0; fd < count; ++fd) results[fd] = os.fcntl<F_GETFD>(static_cast<int>(fd));
  }
};

TEST(Trace, KernelsCannotReachTheFile) {
  const folder in;
  runtime rt;
  rt.trace(in / "recording");
  constexpr u32 count = 1024;  // more descriptors than the process has
  int recording = -1;
  for (u32 fd = 0; fd < count; ++fd) {
    std::error_code none;
    const auto link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (!none && link == std::filesystem::canonical(in / "recording")) recording = static_cast<int>(fd);
  }
  ASSERT_GE(recording, 0);
  const on_device<long> results(rt, std::vector<long>(count));
  play(rt, {}, look_at_all{}, count, results.get());
  EXPECT_EQ(results.take()[static_cast<std::size_t>(recording)], -EBADF);
}

}  // namespace
}  // namespace contract
