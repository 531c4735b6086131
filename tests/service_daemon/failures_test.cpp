// SPDX-License-Identifier: Apache-2.0
// Clients that die, stop or are slow, a daemon that dies, quotas, and who may connect.
#include <grp.h>

#include <atomic>

#include "testing.h"

namespace daemon_testing {
namespace {

constexpr u64 wait_ms = 500;  // of a request that is still in flight when something happens

struct progress {
  std::atomic<u32> step{0}, count{0}, stop{0};
};

TEST(ServiceDaemonFailures, AKilledClientGivesItsMemoryBackWhenItsRequestsHaveEnded) {
  served daemon({"--memory-mib", "8", "--client-mib", "8"});
  shared<progress> seen;
  child client([&] {
    service_client it(daemon.options(8 << 20));
    const auto waits = it.find<wait_for>();
    auto* const word = static_cast<u32*>(it.allocate(8));
    std::atomic_ref<u32>(*word).store(0);
    auto ticket = it.submit(waits, {{word, 8}, wait_ms});
    seen->step = 1;
    ::pause();
    return static_cast<int>(ticket.wait());
  });
  ASSERT_TRUE(until([&] { return seen->step == 1; }));
  ASSERT_TRUE(daemon.reports("1 in flight"));
  EXPECT_EQ(refused_with(daemon.options(8 << 20)), EDQUOT);
  client.kill(SIGKILL);
  client.wait();
  EXPECT_TRUE(daemon.reports("clients: 0 now, 1 so far, 0 turned out; memory 0 of 8 MiB"));
  EXPECT_TRUE(until([&] { return refused_with(daemon.options(8 << 20)) == 0; }));
}

TEST(ServiceDaemonFailures, MemoryThatAKernelMayStillUseIsNotGivenBack) {
  served daemon({"--memory-mib", "8", "--client-mib", "4", "--limit-ms", "300", "--stay-ms", "0"});
  {
    service_client client(daemon.options(4 << 20));
    const auto waits = client.find<wait_for>();
    auto* const word = static_cast<u32*>(client.allocate(8));
    std::atomic_ref<u32>(*word).store(0);
    EXPECT_EQ(client.call(waits, {{word, 8}, 0}), -ETIMEDOUT);
  }
  EXPECT_TRUE(daemon.reports("clients: 0 now, 1 so far, 0 turned out; memory 4 of 8 MiB, 4 of it left to a kernel"));
  service_client second(daemon.options(4 << 20));
  EXPECT_EQ(second.call(second.find<nothing>(), {}), 0);
  EXPECT_EQ(refused_with(daemon.options(4 << 20)), EDQUOT);
  EXPECT_EQ(daemon.stop(SIGKILL), -SIGKILL);  // on a GPU its end would wait for the kernel
}

TEST(ServiceDaemonFailures, ClientsAreKilledAtRandomMoments) {
  served daemon({"--memory-mib", "64", "--client-mib", "8"});
  std::mt19937 random(std::random_device{}());
  service_client* good = nullptr;
  for (unsigned round = 0; round < 30 / (slower == 1 ? 1 : 6); ++round) {
    child client([&, round] {
      service_client it(daemon.options(2 << 20));
      for (unsigned i = 0;; ++i) {
        if (wrong_requests(it, 50, round * 1000 + i, 3000) != 0) return 1;
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    client.kill(SIGKILL);
    const int status = client.wait();
    EXPECT_TRUE(status == -SIGKILL) << status;
  }
  EXPECT_TRUE(daemon.reports("clients: 0 now, "));
  EXPECT_TRUE(daemon.reports("0 turned out; memory 0 of 64 MiB"));
  good = new service_client(daemon.options(2 << 20));
  EXPECT_EQ(wrong_requests(*good, 40, 1, 1000), 0u);
  delete good;
}

TEST(ServiceDaemonFailures, AStoppedClientHoldsUpNobody) {
  served daemon({"--slots", "16"});
  shared<progress> seen;
  child stopped([&] {
    service_client it(daemon.options(1 << 20, 64));
    const auto nothings = it.find<nothing>();
    std::vector<genesys::remote_ticket> tickets;
    for (int i = 0; i < 64; ++i) tickets.push_back(it.submit(nothings, {}));  // and it never looks at its completions
    seen->step = 1;
    while (seen->stop == 0) std::this_thread::sleep_for(1ms);
    long sum = 0;
    for (auto& each : tickets) sum += each.wait();
    return sum == 0 && wrong_requests(it, 20, 5, 1000) == 0 ? 0 : 1;
  });
  ASSERT_TRUE(until([&] { return seen->step == 1; }));
  stopped.kill(SIGSTOP);
  {
    service_client client(daemon.options(1 << 20));
    EXPECT_EQ(wrong_requests(client, 100 / slower, 2, 3000), 0u);
  }
  seen->stop = 1;
  stopped.kill(SIGCONT);
  EXPECT_EQ(stopped.wait(), 0);
}

TEST(ServiceDaemonFailures, AGreedyClientLeavesOthersTheirTurn) {
  served daemon({"--in-flight-mib", slower == 1 ? "8" : "1", "--client-mib", "64"});
  shared<progress> seen;
  constexpr std::size_t bytes = (512 << 10) / (slower == 1 ? 1 : 16);
  constexpr u32 at_a_time = 60;
  child greedy([&] {
    service_client it(daemon.options(64 << 20, at_a_time));
    const auto masks = it.find<mask>();
    auto* const words = static_cast<u64*>(it.allocate(2 * bytes));
    std::vector<genesys::remote_ticket> tickets;
    const auto submit = [&] { return it.submit(masks, {{words, bytes}, {words + bytes / 8, bytes}, 3}); };
    for (u32 i = 0; i < at_a_time; ++i) tickets.push_back(submit());
    for (u32 i = 0; seen->stop == 0; i = (i + 1) % at_a_time) {
      if (tickets[i].wait() != static_cast<long>(bytes / 8)) return 1;
      ++seen->count;
      tickets[i] = submit();
    }
    return 0;
  });
  ASSERT_TRUE(until([&] { return seen->count > at_a_time; }));
  service_client client(daemon.options(1 << 20));
  const auto nothings = client.find<nothing>();
  u32 least = ~u32{0};
  for (int i = 0; i < 20; ++i) {
    const u32 before = seen->count;
    EXPECT_EQ(client.call(nothings, {}), 0);
    least = std::min(least, seen->count - before);
  }
  seen->stop = 1;
  EXPECT_EQ(greedy.wait(), 0);
  // The server has at most so many bytes of the greedy one's requests. The others wait in its ring.
  EXPECT_LT(least, at_a_time / 2);
}

TEST(ServiceDaemonFailures, AKilledDaemonIsSeenAtOnceAndAnotherOneServes) {
  served daemon;
  auto client = std::make_unique<service_client>(daemon.options());
  const auto waits = client->find<wait_for>();
  auto* const word = static_cast<u32*>(client->allocate(8));
  std::atomic_ref<u32>(*word).store(0);
  std::vector<std::thread> threads;
  std::atomic<u32> asleep{0};
  std::atomic<long long> longest_ms{0};
  std::atomic<std::chrono::steady_clock::time_point> killed{};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      ++asleep;
      EXPECT_EQ(client->call(waits, {{word, 8}, 0}), -ECONNRESET);
      const auto late = std::chrono::steady_clock::now() - killed.load();
      longest_ms = std::max<long long>(longest_ms, std::chrono::duration_cast<std::chrono::milliseconds>(late).count());
    });
  }
  ASSERT_TRUE(until([&] { return asleep == 8; }));
  std::this_thread::sleep_for(20ms);
  killed = std::chrono::steady_clock::now();
  EXPECT_EQ(daemon.stop(SIGKILL), -SIGKILL);
  for (std::thread& each : threads) each.join();
  EXPECT_LT(longest_ms, 30'000);  // a missed end shows as the minute that a sleep takes at most
  EXPECT_EQ(client->call(waits, {{word, 8}, 0}), -ECONNRESET);
  EXPECT_EQ(refused_with(daemon.options()), ECONNREFUSED);
  daemon.start();
  EXPECT_TRUE(until([&] { return refused_with(daemon.options()) == 0; }));
  client = std::make_unique<service_client>(daemon.options());
  EXPECT_EQ(wrong_requests(*client, 20, 3, 1000), 0u);
}

TEST(ServiceDaemonFailures, ADaemonThatEndsHasAnsweredWhatItCould) {
  served daemon;
  service_client client(daemon.options());
  const auto waits = client.find<wait_for>();
  auto* const word = static_cast<u32*>(client.allocate(8));
  std::atomic_ref<u32>(*word).store(0);
  auto ticket = client.submit(waits, {{word, 8}, wait_ms});
  ASSERT_TRUE(daemon.reports("1 in flight"));
  EXPECT_EQ(daemon.stop(), 0);
  const long result = ticket.wait();
  EXPECT_TRUE(result == -ETIME || result == -ECONNRESET) << result;
  EXPECT_NE(daemon.log().find("service wait_for"), std::string::npos);
}

TEST(ServiceDaemonFailures, Quotas) {
  served daemon({"--memory-mib", "16", "--client-mib", "8", "--client-slots", "32", "--clients", "2"});
  EXPECT_EQ(refused_with(daemon.options(9 << 20)), EDQUOT);
  EXPECT_EQ(refused_with(daemon.options(1 << 20, 33)), EDQUOT);
  EXPECT_EQ(refused_with(daemon.options(1 << 20, 5000)), EDQUOT);
  service_client one(daemon.options()), two(daemon.options(8 << 20));
  EXPECT_EQ(one.memory_bytes(), std::size_t{8} << 20);  // as much as it may have
  EXPECT_EQ(refused_with(daemon.options(4096)), EAGAIN);
}

TEST(ServiceDaemonFailures, OnlyRootTheDaemonsUserAndItsGroupMayConnect) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to be another user";
  constexpr uid_t nobody = 65534;
  const auto as_user = [&](const served& daemon, gid_t group) {
    std::filesystem::permissions(std::filesystem::path(daemon.socket()).parent_path(), std::filesystem::perms(0755));
    child other([&] {
      if (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(nobody) != 0) return 97;
      return refused_with(daemon.options(4096));
    });
    return other.wait();
  };
  const struct group* const games = ::getgrnam("games");
  if (games == nullptr) GTEST_SKIP() << "there is no group 'games'";
  served own;
  EXPECT_EQ(as_user(own, games->gr_gid), EACCES);
  served of_group({"--group", "games"});
  EXPECT_EQ(as_user(of_group, games->gr_gid), 0);
  EXPECT_EQ(as_user(of_group, 65534), EACCES);
  // The socket's mode is not all: a daemon that systemd starts has a socket of any mode.
  std::filesystem::permissions(own.socket(), std::filesystem::perms(0666));
  EXPECT_EQ(as_user(own, games->gr_gid), EACCES);
}

TEST(ServiceDaemonFailures, ASecondDaemonAtTheSameSocketIsRefused) {
  served daemon;
  child second([&] {
    ::close(STDERR_FILENO);
    const std::string path = program();
    ::execl(path.c_str(), path.c_str(), "--socket", daemon.socket().c_str(), nullptr);
    return 98;
  });
  EXPECT_EQ(second.wait(), 1);
  service_client client(daemon.options());
  EXPECT_EQ(client.call(client.find<nothing>(), {}), 0);
}

TEST(ServiceDaemonFailures, ReportsOnASignal) {
  served daemon;
  service_client client(daemon.options());
  EXPECT_EQ(wrong_requests(client, 20, 1, 100), 0u);
  daemon.kill(SIGUSR1);
  EXPECT_TRUE(until([&] { return daemon.log().find("stages: published to taken") != std::string::npos; }));
  EXPECT_EQ(client.call(client.find<nothing>(), {}), 0);
}

}  // namespace
}  // namespace daemon_testing
