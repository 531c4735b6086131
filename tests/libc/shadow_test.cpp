// SPDX-License-Identifier: Apache-2.0
// Shadow headers: C programs as code of a kernel, in many threads at once. Variables of a thread.
#include "genesys/shadow.h"

#include "texts.h"

namespace ported {
#include <genesys/shadow/begin.h>
GENESYS_PORTED int ported_main(int, char**);
// clang-format off
#include "shadow_program.c"
// clang-format on
#include <genesys/shadow/end.h>
#undef lines
}  // namespace ported

namespace ported_system {
#include <genesys/shadow/begin.h>
GENESYS_PORTED int ported_main(int, char**);
// clang-format off
#include "shadow_system.c"
// clang-format on
#include <genesys/shadow/end.h>
#undef lines
}  // namespace ported_system

namespace {

using contract::on_device;
using contract::play;
using contract::shared_runtime;
using contract::u32;
namespace posix = genesys::posix;

// After end.h the names are the host's.
static_assert(std::is_same_v<decltype(stdout), ::FILE*>);

constexpr u32 threads = 64;

struct run_program {
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* status) const {
    posix::library c(os);
    char path[200];
    posix::snprintf(path, sizeof path, "%s/%u", folder, genesys::thread_rank());
    char name[] = "program";
    char* arguments[] = {name, path, nullptr};
    status[genesys::thread_rank()] = static_cast<u32>(ported::ported_main(2, arguments));
  }
};

TEST(Shadow, ACProgramRunsInEachThread) {
  const contract::folder folder;
  const auto name = on_device_text(folder / "");
  on_device<u32> status(shared_runtime(), threads);
  play(shared_runtime(), {.threads = {threads}}, run_program{}, static_cast<const char*>(name.get()), status.get());
  const auto all = status.take();
  for (u32 i = 0; i < threads; ++i) {
    EXPECT_EQ(all[i], 0u) << "thread " << i;
    const std::string text = text_of(folder / std::to_string(i));
    EXPECT_EQ(text.find("NO"), std::string::npos) << "thread " << i << ":\n" << text;
    EXPECT_EQ(text.substr(text.size() < 3 ? 0 : text.size() - 3), "15\n") << "thread " << i << ":\n" << text;
  }
}

struct run_system {
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* status) const {
    posix::library c(os);
    char name[] = "shadow_system", option[] = "-n", count[] = "12", path[200], rest[] = "rest";
    posix::snprintf(path, sizeof path, "--folder=%s/%u", folder, genesys::thread_rank());
    char* arguments[] = {name, option, count, path, rest, nullptr};
    status[genesys::thread_rank()] = static_cast<u32>(ported_system::ported_main(5, arguments));
  }
};

TEST(Shadow, ACProgramOpensSocketsMapsFilesAndSpawns) {
  constexpr u32 few = 4;
  const contract::folder folder("/dev/shm");
  for (u32 i = 0; i < few; ++i) std::filesystem::create_directory(folder / std::to_string(i));
  const auto name = on_device_text(folder.path());
  on_device<u32> status(shared_runtime(), few);
  play(shared_runtime(), {.threads = {few}}, run_system{}, static_cast<const char*>(name.get()), status.get());
  const auto all = status.take();
  for (u32 i = 0; i < few; ++i) {
    EXPECT_EQ(all[i], 0u) << "thread " << i;
    const std::string text = text_of(folder / std::to_string(i) + "/out");
    EXPECT_EQ(text.find("NO"), std::string::npos) << "thread " << i << ":\n" << text;
    EXPECT_TRUE(text.ends_with("12\n")) << "thread " << i << ":\n" << text;
  }
}

struct counters {
  u32 value = 7;
};
struct others {
  u32 zero;
  char text[3000];
};

struct count_up {
  GENESYS_KERNEL void operator()(genesys::os os, u32* wrong) const {
    u32 bad = 0;
    for (u32 round = 0; round < 3; ++round) {  // each library has new variables
      posix::library c(os);
      const u32 me = genesys::thread_rank();
      bad += posix::variables<others>().zero != 0 || posix::variables<others>().text[2999] != 0;
      for (u32 i = 0; i <= me; ++i) {
        ++posix::variables<counters>().value;
        genesys::pause();
      }
      posix::variables<others>().zero = me;
      bad += posix::variables<counters>().value != 8 + me || posix::variables<others>().zero != me;
      bad += &posix::variables<counters>() != &posix::variables<counters>();
      posix::variables<others>().text[2999] = 1;
      genesys::sync_block();
    }
    wrong[genesys::block_rank() * threads + genesys::thread_rank()] = bad;
  }
};

TEST(Variables, EachThreadHasItsOwnUntilTheEndOfItsLibrary) {
  on_device<u32> wrong(shared_runtime(), 3 * threads);
  play(shared_runtime(), {.blocks = {3}, .threads = {threads}}, count_up{}, wrong.get());
  for (u32 each : wrong.take()) EXPECT_EQ(each, 0u);
}

}  // namespace
