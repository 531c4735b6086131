// SPDX-License-Identifier: Apache-2.0
// A daemon whose GPU side is a process of its own: that process is killed, and the daemon goes on.
#include <cerrno>
#include <fstream>
#include <iterator>

#include "testing.h"

namespace {
using namespace daemon_testing;

std::string contents(const std::filesystem::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

// The process of this daemon that has the device; 0: there is none.
pid_t device_process(const std::string& socket) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (contents(entry.path() / "comm") != "genesys-gpu\n") continue;
    if (contents(entry.path() / "cmdline").find(socket) != std::string::npos)
      return static_cast<pid_t>(std::stol(entry.path().filename()));
  }
  return 0;
}

TEST(ServiceDaemonIsolated, TheProcessWithTheDeviceIsKilled) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a child of a process with threads";
#endif
  const served daemon({"--isolated"});
  service_client client(daemon.options(1 << 20));
  ASSERT_EQ(wrong_requests(client, 50, 1, 500), 0u);
  for (unsigned round = 0; round < 3; ++round) {
    pid_t victim = 0;
    ASSERT_TRUE(until([&] { return (victim = device_process(daemon.socket())) != 0; }));
    ASSERT_EQ(::kill(victim, SIGKILL), 0);
    ASSERT_TRUE(until([&] { return device_process(daemon.socket()) != victim; })) << daemon.log();
    // These services have no twins. A request that the process had is lost, and the next ones are refused until there
    // is another process.
    long result = 0;
    ASSERT_TRUE(until([&] {
      result = client.call(client.find<nothing>(), {});
      return result != -EIO && result != -EAGAIN;
    }));
    EXPECT_EQ(result, 0);
    EXPECT_EQ(wrong_requests(client, 50, round, 500), 0u) << daemon.log();
  }
}

}  // namespace
