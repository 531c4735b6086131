// SPDX-License-Identifier: Apache-2.0
// A daemon whose GPU side is a process of its own: that process is killed, and the daemon goes on.
// GENESYS_TEST_REQUESTS: how many requests the stress test makes (default 40,000).
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "loading_testing.h"

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
    // `nothing` has no twin. A request that the process had is lost, and the next ones are refused until there
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

// The next process gets what was loaded into the one before it.
TEST(ServiceDaemonIsolated, LoadsServicesFromFiles) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a child of a process with threads";
#endif
  served daemon({"--isolated", "--load", to_load("daemon_first", "scale")});
  service_client first(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(first, first_adds), 0u);
  load(daemon, "daemon_first", "hold");
  service_client client(daemon.options(1 << 20));
  const auto holds = client.find<hold>();
  auto* const word = static_cast<u32*>(client.allocate(8));
  std::atomic_ref<u32>(*word).store(11);
  for (unsigned round = 0; round < 3; ++round) {
    EXPECT_EQ(wrong_scales(client, first_adds) + wrong_scales(first, first_adds), 0u);
    // It has no twin, so that another process answers when the one before is gone.
    long result = 0;
    ASSERT_TRUE(until([&] {
      result = client.call(holds, {{word, 8}});
      return result != -EIO && result != -EAGAIN;
    }));
    EXPECT_EQ(result, 11);
    pid_t victim = 0;
    ASSERT_TRUE(until([&] { return (victim = device_process(daemon.socket())) != 0; }));
    ASSERT_EQ(::kill(victim, SIGKILL), 0);
    ASSERT_TRUE(until([&] { return device_process(daemon.socket()) != victim; })) << daemon.log();
  }
  // It loads again as soon as the process is there.
  ASSERT_TRUE(until([&] {
    try {
      unload(daemon, "scale");
      return true;
    } catch (const service_client_error& error) {
      return error.number() == ENOENT;
    }
  }));
  ASSERT_TRUE(until([&] {
    try {
      load(daemon, "daemon_second", "scale");
      return true;
    } catch (const service_client_error& error) {
      EXPECT_EQ(error.number(), EBUSY) << error.what();
      return false;
    }
  })) << daemon.log();
  service_client second(daemon.options(1 << 20));
  EXPECT_EQ(wrong_scales(second, second_adds), 0u);
}

// What the threads of one client saw.
struct tallies {
  std::atomic<u64> made{0}, wrong{0}, lost{0};
};

// Requests by one thread, each checked. Those of `nothing` may be lost, because it has no twin.
void make_requests(service_client& client, u64 count, u64 seed, tallies& into) {
  constexpr std::size_t words_max = 512;
  const auto masks = client.find<mask>();
  const auto nothings = client.find<nothing>();
  const auto sums = client.find<numbers>();
  auto* const from = static_cast<u64*>(client.allocate(2 * words_max * sizeof(u64)));
  u64* const to = from + words_max;
  std::mt19937_64 random(seed);
  u64 wrong = 0, lost = 0;
  for (u64 i = 0; i < count; ++i) {
    const u64 key = random();
    if (i % 1024 == 1023) into.made += 1024;
    if (i % 4096 == 1) {  // few: each waits for the next process, if there is none
      long result = 0;    // -EAGAIN: there is no process with the device, and nothing has begun
      while ((result = client.call(nothings, {})) == -EAGAIN) std::this_thread::sleep_for(1ms);
      lost += result == -EIO;
      wrong += result != 0 && result != -EIO;
    } else if (i % 2 == 0) {
      const auto value = static_cast<std::int64_t>(key & 0xffff'ffffu);
      wrong += client.call(sums, {1.5f, -1, 7, 2.0, value, {1, 0, 0, 2}}) != 3 - 1 + 7 + 2 + value + 3;
    } else {
      const std::size_t words = 1 + random() % (random() % 8 == 0 ? words_max : 16);
      for (std::size_t w = 0; w < words; ++w) from[w] = key + w, to[w] = 0;
      const long result = client.call(masks, {{from, words * sizeof(u64)}, {to, words * sizeof(u64)}, key},
                                      {.blocks = 1 + static_cast<unsigned>(random() % 3)});
      bool good = result == static_cast<long>(words);
      for (std::size_t w = 0; w < words; ++w) good &= to[w] == ((key + w) ^ key);
      wrong += !good;
    }
  }
  client.free(from);
  into.made += count % 1024;
  into.wrong += wrong;
  into.lost += lost;
}

TEST(ServiceDaemonIsolated, FourProcessesOf16ThreadsWhileTheProcessWithTheDeviceIsKilled) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a child of a process with threads";
#endif
  constexpr unsigned processes = 4, threads = 16;
  const char* given = std::getenv("GENESYS_TEST_REQUESTS");
  const u64 all = given != nullptr ? std::strtoull(given, nullptr, 10) : 40'000 / slower;
  const served daemon({"--isolated", "--client-mib", "4"});
  const shared<tallies> sums;
  std::vector<child> clients;
  for (unsigned process = 0; process < processes; ++process) {
    clients.emplace_back([&, process] {
      service_client client(daemon.options(4 << 20, 64));
      std::vector<std::thread> running;
      for (unsigned thread = 0; thread < threads; ++thread)
        running.emplace_back([&, thread] {
          make_requests(client, all / (processes * threads), process * threads + thread, *sums.operator->());
        });
      for (std::thread& each : running) each.join();
      return 0;
    });
  }
  std::mt19937 random(3);
  u64 kills = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60 * slower + all / 10'000);
  const u64 wanted = all / (processes * threads) * (processes * threads);
  auto told = std::chrono::steady_clock::now();
  while (sums->made < wanted && std::chrono::steady_clock::now() < end) {
    if (const auto now = std::chrono::steady_clock::now(); now - told > 10s) {
      told = now;
      std::fprintf(stderr, "%llu of %llu requests, %llu kills\n", static_cast<unsigned long long>(sums->made),
                   static_cast<unsigned long long>(wanted), static_cast<unsigned long long>(kills));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 900));
    const pid_t victim = device_process(daemon.socket());
    if (victim != 0 && ::kill(victim, SIGKILL) == 0) ++kills;
  }
  for (child& each : clients) EXPECT_EQ(each.wait(), 0) << daemon.log();
  std::printf("%llu requests, %llu lost, %llu kills\n", static_cast<unsigned long long>(sums->made),
              static_cast<unsigned long long>(sums->lost), static_cast<unsigned long long>(kills));
  EXPECT_EQ(sums->made, wanted);
  EXPECT_EQ(sums->wrong, 0u);
  EXPECT_GT(kills, 0u);
  EXPECT_LE(sums->lost, kills * processes * threads);
}

}  // namespace
