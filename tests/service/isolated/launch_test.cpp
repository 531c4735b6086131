// SPDX-License-Identifier: Apache-2.0
// Requests of isolated servers that have launches of their own. The child makes the launches.
#include <atomic>
#include <cerrno>

#include "isolated.h"

namespace {
using namespace service_testing;

constexpr genesys::service_call launched(unsigned blocks) {
  return {.blocks = blocks, .where = genesys::service_path::launch};
}

// More tickets at a time than the child is asked for at a time.
TEST(IsolatedLaunch, RequestsAreLaunched) {
  isolated server;
  const auto hashes = server->load(twin_hash_24{{.key = 3}});
  const auto scales = server->load(twin_scale{});
  u64* const memory = allocate<u64>(*server, 2000);
  for (u32 i = 0; i < 1000; ++i) memory[i] = i;
  for (u32 i = 0; i < 30; ++i) {
    ASSERT_EQ(server->call(scales, {memory, memory + 1000, 1000, i}, launched(1 + i % 20)), 1000);
    for (u32 w = 0; w < 1000; ++w) ASSERT_EQ(memory[1000 + w], memory[w] * 3 + i);
  }
  std::vector<genesys::service_ticket> tickets;
  for (u32 i = 0; i < 60; ++i) tickets.push_back(server->submit(hashes, {{i, 1, 2}}, launched(3)));
  for (u32 i = 0; i < 60; ++i) ASSERT_EQ(tickets[i].wait(), 3 * hash_of_24::of(3, {{i, 1, 2}}));
  const auto counts = server->counts();
  EXPECT_EQ(counts.launched, 90u);
  EXPECT_EQ(counts.launches, 0u);  // of the kernel that stays
  EXPECT_EQ(counts.by_twins + counts.replaced, 0u);
}

TEST(IsolatedLaunch, LaunchesOfADeadChildAreAnsweredByTwins) {
  isolated server;
  const auto stucks = server->load(stuck{});
  const auto waits = server->load(wait_for{});
  const auto hashes = server->load(hash_of_7{5});
  u32* const word = allocate<u32>(*server, 1);
  auto with_twin = server->submit(stucks, {word}, launched(2));
  auto without = server->submit(waits, {word}, launched(2));
  std::atomic<long> result{0};
  std::thread caller([&] { result = server->call(stucks, {word}, launched(1)); });
  EXPECT_TRUE(until([&] { return server->counts().launched == 3; }));
  server.kill_child();
  EXPECT_EQ(with_twin.wait(), 5);
  EXPECT_EQ(without.wait(), -EIO);
  caller.join();
  EXPECT_EQ(result, 5);
  const hash_of_7::arguments with{{1, 2, 3}};
  EXPECT_EQ(server->call(hashes, with, launched(4)), 4 * hash_of_7::of(5, with));
  EXPECT_EQ(server->counts().replaced, 1u);
}

TEST(IsolatedLaunch, ALaunchThatNeverEndsIsTakenFromTheGpu) {
  isolated server({.limit_ms = 300});
  const auto stucks = server->load(stuck{});
  const auto waits = server->load(wait_for{});
  u32* const word = allocate<u32>(*server, 1);
  EXPECT_EQ(server->call(stucks, {word}, launched(2)), 5);
  EXPECT_TRUE(server.replaced(1));
  EXPECT_EQ(server->call(waits, {word}, launched(2)), -ETIMEDOUT);
  EXPECT_TRUE(server.replaced(2));
  store(word, 9);
  EXPECT_EQ(server->call(waits, {word}, launched(2)), 18);
}

TEST(IsolatedLaunch, TheChildIsKilledWhileItLaunches) {
  isolated server;
  const auto hashes = server->load(twin_hash_1{{.key = 1}});
  std::atomic<bool> stop{false};
  std::atomic<u64> right{0}, wrong{0};
  std::vector<std::thread> callers;
  for (u32 t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (u64 i = 0; !stop; ++i) {
        const long wanted = 3 * hash_of_1::of(1, {{i}});
        const long got =
            i % 2 == 0 ? server->call(hashes, {{i}}, launched(3)) : server->submit(hashes, {{i}}, launched(3)).wait();
        ++(got == wanted ? right : wrong);
      }
    });
  }
  for (u64 i = 1; i <= 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    server.kill_child();
    EXPECT_TRUE(server.replaced(i));
  }
  stop = true;
  for (auto& caller : callers) caller.join();
  EXPECT_GT(right, 0u);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
