// SPDX-License-Identifier: Apache-2.0
// posix_spawn of the C library for kernels, and waiting for the programs.
#include <sys/wait.h>

#include "contract.h"
#include "genesys/posix.h"
#include "texts.h"

namespace {

using contract::on_device;
using contract::play;
using contract::shared_runtime;
using contract::u32;
namespace posix = genesys::posix;

#define CHECK(condition) bad += (condition) ? 0 : __LINE__ * 1000 + 1

// Runs a program; its output goes to the file `out`. Returns what waitpid() says of it.
GENESYS_KERNEL_OUTLINE inline int run(const char* path, char* const words[], char* const environment[],
                                      const posix::posix_spawnattr_t* attributes, u32& bad) {
  posix::posix_spawn_file_actions_t actions;
  CHECK(posix::posix_spawn_file_actions_init(&actions) == 0);
  CHECK(posix::posix_spawn_file_actions_addopen(&actions, 1, "out", O_WRONLY | O_CREAT | O_APPEND, 0600) == 0);
  CHECK(posix::posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0);
  CHECK(posix::posix_spawn_file_actions_addclose(&actions, -1) == EBADF);
  pid_t child = 0;
  CHECK(posix::posix_spawn(&child, path, &actions, attributes, words, environment) == 0 && child > 0);
  CHECK(posix::posix_spawn_file_actions_destroy(&actions) == 0);
  int status = -1;
  CHECK(posix::waitpid(child, &status, 0) == child);
  return status;
}

GENESYS_KERNEL int run_script(const char* script, char* const environment[], const posix::posix_spawnattr_t* attributes,
                              u32& bad) {
  char shell[] = "sh", option[] = "-c", text[256];
  posix::strcpy(text, script);
  char* const words[] = {shell, option, text, nullptr};
  return run("/bin/sh", words, environment, attributes, bad);
}

struct scripts {
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    CHECK(posix::chdir(folder) == 0);
    int status = run_script("echo out; echo err >&2; exit 3", posix::host_environment(), nullptr, bad);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    char variable[] = "COLOUR=green";
    char* const environment[] = {variable, nullptr};
    status = run_script("echo $COLOUR $HOME", environment, nullptr, bad);
    CHECK(status == 0);
    status = run_script("kill -9 $$", posix::host_environment(), nullptr, bad);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == 9);
    posix::posix_spawnattr_t attributes;
    posix::posix_spawnattr_init(&attributes);
    sigset_t set;
    posix::sigemptyset(&set);
    CHECK(posix::sigaddset(&set, SIGUSR1) == 0 && posix::sigismember(&set, SIGUSR1) == 1);
    CHECK(posix::sigaddset(&set, 65) == -1 && posix::error_number() == EINVAL);
    sigset_t all;
    CHECK(posix::sigfillset(&all) == 0 && posix::sigismember(&all, 31) == 1 && posix::sigismember(&all, 32) == 0);
    CHECK(posix::sigismember(&all, 33) == 0 && posix::sigismember(&all, 34) == 1);
    CHECK(posix::sigaddset(&all, 32) == -1 && posix::sigdelset(&all, 33) == -1);
    // A shell would unblock them.
    char program[] = "grep", what[] = "SigBlk", file[] = "/proc/self/status";
    char* const words[] = {program, what, file, nullptr};
    status = run("/bin/grep", words, posix::host_environment(), &attributes, bad);
    posix::posix_spawnattr_setsigmask(&attributes, &set);
    CHECK(posix::posix_spawnattr_setflags(&attributes, 0x4000) == EINVAL);
    CHECK(posix::posix_spawnattr_setflags(&attributes,
                                          POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID | POSIX_SPAWN_USEVFORK) == 0);
    CHECK(posix::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSCHEDULER) == EINVAL);
    status += run("/bin/grep", words, posix::host_environment(), &attributes, bad);
    status += run_script("test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo leads", posix::host_environment(),
                         &attributes, bad);
    CHECK(status == 0);
    auto* const much = static_cast<char*>(posix::malloc(3 << 20));
    posix::memset(much, 'a', (3 << 20) - 1);
    much[(3 << 20) - 1] = '\0';
    char* const long_words[] = {program, much, nullptr};
    CHECK(posix::posix_spawn(nullptr, "/bin/true", nullptr, nullptr, long_words, posix::host_environment()) == E2BIG);
    posix::free(much);
    *wrong = bad;
  }
};

TEST(Spawn, ProgramsRunWithTheirDescriptorsAndEnvironment) {
  const contract::folder folder;
  const auto name = on_device_text(folder.path());
  const std::string before = std::filesystem::current_path();
  on_device<u32> wrong(shared_runtime(), 1);
  play(shared_runtime(), {.threads = {1}}, scripts{}, static_cast<const char*>(name.get()), wrong.get());
  std::filesystem::current_path(before);
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(text_of(folder / "out"), "out\nerr\ngreen\nSigBlk:\t0000000000000000\nSigBlk:\t0000000000000200\nleads\n");
}

struct together {
  GENESYS_KERNEL void operator()(genesys::os os, const char* folder, u32* wrong) const {
    posix::library c(os);
    u32 bad = 0;
    char shell[] = "sh", option[] = "-c", text[] = "echo once >> out";
    char* const words[] = {shell, option, text, nullptr};
    posix::posix_spawn_file_actions_t actions;
    posix::posix_spawn_file_actions_init(&actions);
    CHECK(posix::posix_spawn_file_actions_addchdir_np(&actions, folder) == 0);
    const auto calls = os.on(genesys::block());
    pid_t child = 0;
    CHECK(posix::posix_spawnp(calls, &child, "sh", &actions, nullptr, words, posix::host_environment()) == 0);
    posix::posix_spawn_file_actions_destroy(&actions);
    int status = -1;
    CHECK(child > 0 && posix::waitpid(calls, child, &status, 0) == child && status == 0);
    CHECK(posix::posix_spawn(calls, &child, "/nonexistent", nullptr, nullptr, words, posix::host_environment()) ==
          ENOENT);
    genesys::atomic<u32>(*wrong).fetch_add(bad);
  }
};

TEST(Spawn, ABlockStartsOneProgram) {
  const contract::folder folder;
  const auto name = on_device_text(folder.path());
  on_device<u32> wrong(shared_runtime(), std::vector<u32>{0});
  play(shared_runtime(), {.threads = {70}}, together{}, static_cast<const char*>(name.get()), wrong.get());
  EXPECT_EQ(wrong.take()[0], 0u);
  EXPECT_EQ(text_of(folder / "out"), "once\n");
}

}  // namespace
