// SPDX-License-Identifier: Apache-2.0
// Calls of other processes: results, buffers, tickets, errors, many processes and threads.
#include <atomic>

#include "testing.h"

namespace daemon_testing {
namespace {

TEST(ServiceDaemonCalls, OneClientCallsEachService) {
  served daemon;
  service_client client(daemon.options());
  EXPECT_EQ(client.services().size(), 4u);
  EXPECT_EQ(wrong_requests(client, 200 / slower, 1, 3000), 0u);
  EXPECT_TRUE(daemon.reports("service mask: "));
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_NE(daemon.log().find("0 errors"), std::string::npos) << daemon.log();
}

TEST(ServiceDaemonCalls, TheDirectoryTellsMembers) {
  served daemon;
  service_client client(daemon.options());
  const auto& masks = client.services()[client.find("mask").number];
  ASSERT_EQ(masks.members.size(), 3u);
  EXPECT_TRUE(masks.is_described);
  EXPECT_EQ(masks.members[1].name, "to");
  EXPECT_EQ(masks.members[1].direction, genesys::service_field::output);
  EXPECT_EQ(masks.members[2].kind, genesys::service_member::u64);
  const auto& waits = client.services()[client.find("wait_for").number];
  EXPECT_FALSE(waits.is_described);
  ASSERT_EQ(waits.members.size(), 1u);
  EXPECT_EQ(waits.members[0].name, "");
  EXPECT_EQ(client.services()[client.find("numbers").number].members[5].count, 4u);
}

struct other_mask : mask {
  struct arguments {
    genesys::service_input from;
    u64 key;
    genesys::service_buffer to;
  };
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
};
struct absent : nothing {
  static constexpr const char* name = "absent";
};

TEST(ServiceDaemonCalls, AServiceThatIsNotThereOrOtherwiseIsNotFound) {
  served daemon;
  service_client client(daemon.options());
  const auto number_of = [&](auto find) {
    try {
      find();
      return 0;
    } catch (const service_client_error& error) {
      return error.number();
    }
  };
  EXPECT_EQ(number_of([&] { (void)client.find<absent>(); }), ENOENT);
  EXPECT_EQ(number_of([&] { (void)client.find<other_mask>(); }), EPROTO);
}

TEST(ServiceDaemonCalls, WrongArgumentsAreRefused) {
  served daemon;
  service_client client(daemon.options());
  const auto masks = client.find<mask>();
  auto* const words = static_cast<u64*>(client.allocate(4096));
  u64 outside[8] = {};
  EXPECT_EQ(client.call(masks, {{outside, 64}, {words, 64}, 1}), -EFAULT);
  EXPECT_EQ(client.call(masks, {{words, 64}, {words, client.memory_bytes() + 1}, 1}), -EFAULT);
  EXPECT_EQ(client.call(masks, {{reinterpret_cast<char*>(words) + 4, 64}, {words, 64}, 1}), -EINVAL);
  EXPECT_EQ(client.call(masks, {{words, 64}, {words, 72}, 1}), -EINVAL);
  EXPECT_EQ(client.call(masks, {{words, 64}, {words, 64}, 1}, {.blocks = 0}), -EINVAL);
  EXPECT_EQ(client.call(masks, {{words, 64}, {words, 64}, 1}, {.blocks = 1u << 20}), -EINVAL);
  EXPECT_EQ(client.call_bytes(masks, words, 8), -EINVAL);
  EXPECT_EQ(client.call_bytes({77}, words, 8), -ENOENT);
  EXPECT_EQ(client.call(masks, {{words, 64}, {words, 64}, 1}), 8);
}

TEST(ServiceDaemonCalls, TicketsAreCollectedInAnyOrder) {
  served daemon;
  service_client client(daemon.options(0, 16));
  const auto sums = client.find<numbers>();
  std::vector<genesys::remote_ticket> tickets;
  for (int i = 0; i < 16; ++i) tickets.push_back(client.submit(sums, {0, 0, 0, 0, i, {}}));
  EXPECT_EQ(tickets[15].wait(), 15);
  EXPECT_TRUE(until([&] { return tickets[3].is_done(); }));
  for (int i = 0; i < 15; ++i) EXPECT_EQ(tickets[static_cast<unsigned>(i)].wait(), i);
  // Tickets that nobody waits for give their slots back.
  for (int i = 0; i < 100; ++i) (void)client.submit(sums, {0, 0, 0, 0, i, {}});
  EXPECT_EQ(client.call(sums, {0, 0, 0, 0, 41, {}}), 41);
}

TEST(ServiceDaemonCalls, AFullRingRefusesOrWaits) {
  served daemon;
  service_client client(daemon.options(0, 2));
  const auto waits = client.find<wait_for>();
  auto* const word = static_cast<u32*>(client.allocate(8));
  std::atomic_ref<u32>(*word).store(0);
  auto one = client.submit(waits, {{word, 8}, 0}), two = client.submit(waits, {{word, 8}, 0});
  const genesys::remote_call refuse{.blocks = 1, .refuse_if_full = true};
  EXPECT_EQ(client.call(waits, {{word, 8}, 0}, refuse), -EAGAIN);
  std::thread waiting([&] { EXPECT_EQ(client.call(waits, {{word, 8}, 0}), 5); });
  std::this_thread::sleep_for(20ms);
  std::atomic_ref<u32>(*word).store(5);
  EXPECT_EQ(one.wait() + two.wait(), 10);
  waiting.join();
}

TEST(ServiceDaemonCalls, ThreadsThatSleepAreWoken) {
  served daemon;
  auto options = daemon.options();
  options.spin_us = 0;
  service_client client(options);
  const auto waits = client.find<wait_for>();
  auto* const words = static_cast<u32*>(client.allocate(64 * 8));
  for (u32 round = 0; round < 100 / slower; ++round) {
    for (u32 i = 0; i < 128; ++i) std::atomic_ref<u32>(words[i]).store(0);
    std::vector<std::thread> threads;
    std::atomic<u32> wrong{0};
    for (u32 i = 0; i < 8; ++i)
      threads.emplace_back([&, i] { wrong += client.call(waits, {{words + 2 * i, 8}, 0}) != i + 1; });
    const auto begin = std::chrono::steady_clock::now();
    if (round % 4 == 0) std::this_thread::sleep_for(5ms);
    for (u32 i = 0; i < 8; ++i) std::atomic_ref<u32>(words[2 * i]).store(i + 1);
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(wrong, 0u);
    // A lost wake-up shows as the minute that a sleep takes at most.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  }
}

TEST(ServiceDaemonCalls, MemoryIsTakenAndGivenBack) {
  served daemon({"--client-mib", "2"});
  service_client client(daemon.options(1 << 20));
  EXPECT_EQ(client.memory_bytes(), 1u << 20);
  EXPECT_EQ(client.allocate((1 << 20) + 1), nullptr);
  std::mt19937 random(7);
  std::vector<std::pair<unsigned char*, std::size_t>> taken;
  for (unsigned i = 0; i < 5000; ++i) {
    if (random() % 2 == 0 || taken.empty()) {
      const std::size_t bytes = 1 + random() % 20'000;
      auto* const at = static_cast<unsigned char*>(client.allocate(bytes));
      if (at == nullptr) continue;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 256, 0u);
      for (const auto& [other, size] : taken) EXPECT_TRUE(at + bytes <= other || other + size <= at);
      taken.emplace_back(at, bytes);
    } else {
      const std::size_t which = random() % taken.size();
      client.free(taken[which].first);
      taken[which] = taken.back();
      taken.pop_back();
    }
  }
  for (const auto& [at, bytes] : taken) client.free(at);
  EXPECT_NE(client.allocate(1 << 20), nullptr);
}

TEST(ServiceDaemonCalls, FourProcessesWithManyThreads) {
#if defined(GENESYS_TEST_FULL_PRODUCT)
  constexpr unsigned requests = 3000 / slower;
#else
  constexpr unsigned requests = 300 / slower;
#endif
  served daemon({"--slots", "32"});
  std::vector<child> clients;
  for (unsigned process = 0; process < 4; ++process) {
    clients.emplace_back([&, process] {
      service_client client(daemon.options(4 << 20, 24));
      std::atomic<unsigned> wrong{0};
      std::vector<std::thread> threads;
      for (unsigned thread = 0; thread < 16; ++thread)
        threads.emplace_back(
            [&, thread] { wrong += wrong_requests(client, requests / 4, process * 16 + thread, 4000); });
      for (std::thread& each : threads) each.join();
      return wrong == 0 ? 0 : 1;
    });
  }
  for (child& each : clients) EXPECT_EQ(each.wait(), 0) << daemon.log();
  EXPECT_TRUE(daemon.reports("clients: 0 now, 4 so far, 0 turned out"));
}

TEST(ServiceDaemonCalls, AChildOfForkGetsAnError) {
  served daemon;
  service_client client(daemon.options());
  const auto nothings = client.find<nothing>();
  EXPECT_EQ(client.call(nothings, {}), 0);
  child forked([&] { return client.call(nothings, {}) == -ECHILD ? 0 : 1; });
  EXPECT_EQ(forked.wait(), 0);
  EXPECT_EQ(client.call(nothings, {}), 0);
}

}  // namespace
}  // namespace daemon_testing
