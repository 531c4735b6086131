// SPDX-License-Identifier: Apache-2.0
// Recordings through the public interface: every call is in the file, recording begins and ends while kernels run, and
// kernels cannot reach the file.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "contract.h"

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

// How many calls a recording has (docs/trace.md, The file). Every section has to be whole.
u64 calls_in(const std::string& path) {
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
    if (section.kind == 1) calls += section.count;
    file.seekg(section.bytes - sizeof section, std::ios::cur);
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
    EXPECT_TRUE(eventually([&] { return rt.stats().recorded == calls; }));  // a call is recorded just after its end
    rt.stop_trace();
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

struct look_at_all {
  GENESYS_KERNEL void operator()(genesys::os os, u32 count, long* results) const {
    for (u32 fd = 0; fd < count; ++fd) results[fd] = os.fcntl<F_GETFD>(static_cast<int>(fd));
  }
};

TEST(Trace, KernelsCannotReachTheFile) {
  const folder in;
  runtime rt;
  rt.trace(in / "recording");
  constexpr u32 count = 256;
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
