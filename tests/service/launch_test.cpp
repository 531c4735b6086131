// SPDX-License-Identifier: Apache-2.0
// Requests that have launches of their own: the same results as on resident blocks, under load, at the end of a server.
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "twins.h"

namespace {
using namespace service_testing;
using genesys::service_path;

constexpr genesys::service_call launched(unsigned blocks) { return {.blocks = blocks, .where = service_path::launch}; }

TEST(ServiceLaunch, ArgumentsAndFunctorsPassWhole) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{});
  const auto by_24 = server.load(hash_of_24{77});
  const auto by_7 = server.load(hash_of_7{random()});
  const auto nothing = server.load(empty{});
  for (u32 i = 0; i < 100 / shorter + 5; ++i) {
    hash_of_24::arguments with;
    for (u64& word : with.words) word = random();
    ASSERT_EQ(server.call(by_24, with, launched(1)), hash_of_24::of(77, with)) << "GENESYS_TEST_SEED=" << seed();
    const hash_of_7::arguments few{{random(), i}};
    ASSERT_EQ(server.call(by_7, few, launched(3)), 3 * server.call(by_7, few)) << "GENESYS_TEST_SEED=" << seed();
    ASSERT_EQ(server.call(nothing, {}, launched(1 + i % 9)), 0);
  }
  const auto counts = server.counts();
  EXPECT_EQ(counts.launched, 3u * (100 / shorter + 5));
  EXPECT_EQ(counts.requests, 4u * (100 / shorter + 5));
}

TEST(ServiceLaunch, ALaunchBringsNoOtherKernel) {
  genesys::service_server server(all_services{});
  const auto hashes = server.load(hash_of_1{9});
  for (u64 i = 0; i < 20; ++i) ASSERT_EQ(server.call(hashes, {{i}}, launched(1)), hash_of_1::of(9, {{i}}));
  std::vector<genesys::service_ticket> tickets;
  for (u64 i = 0; i < 20; ++i) tickets.push_back(server.submit(hashes, {{i}}, launched(1)));
  for (u64 i = 0; i < 20; ++i) ASSERT_EQ(tickets[i].wait(), hash_of_1::of(9, {{i}}));
  EXPECT_EQ(server.counts().launches, 0u);
}

TEST(ServiceLaunch, BlocksShareARequest) { blocks_share_a_request(service_path::launch, {1, 2, 4, 31, 100, 1000}); }

TEST(ServiceLaunch, ResultsOfBlocksAreAddedOrTheLeastCounts) {
  genesys::service_server server(all_services{}, {.blocks = 2});
  const auto values = server.load(value_of_block{});
  constexpr long greatest = (1L << 47) - 1;
  const auto call = [&](const value_of_block::arguments& with, unsigned blocks) {
    return server.call(values, with, launched(blocks));
  };
  EXPECT_EQ(call({{5}}, 1), 5);
  EXPECT_EQ(call({{-5}}, 1), -5);
  EXPECT_EQ(call({{1, 2, 3, 4, 5}}, 5), 15);
  EXPECT_EQ(call({{1, -2, 3, -4, 5}}, 5), -4);
  EXPECT_EQ(call({{greatest}}, 1), greatest);
  EXPECT_EQ(call({{-greatest - 1}}, 1), -greatest - 1);
  EXPECT_EQ(call({{greatest, 1}}, 2), -EOVERFLOW);
  EXPECT_EQ(call({{greatest / 2, greatest / 2, 1}}, 3), greatest);
  EXPECT_EQ(call({{greatest, greatest, greatest}}, 8), -EOVERFLOW);
  EXPECT_EQ(call({{greatest + 1}}, 1), -EOVERFLOW);
  EXPECT_EQ(call({{-greatest - 2}}, 1), -EOVERFLOW);
  EXPECT_EQ(call({{1L << 40, 1L << 40, 7}}, 400), (1L << 41) * 50 + 350);
}

// A request of more blocks than a launch has.
TEST(ServiceLaunch, ALargeRequestHasSeveralLaunches) {
  if (slower > 1) GTEST_SKIP() << "too many threads for a sanitizer";
  genesys::service_server server(all_services{}, {.threads = 32});
  const auto values = server.load(value_of_block{});
  constexpr u32 blocks = (1u << 16) + 9;
  EXPECT_EQ(server.call(values, {{1, 2, 3, 4, 5, 6, 7, 8}}, launched(blocks)), (blocks / 8) * 36L + 1);
}

// Both kinds of requests at once, by threads and tickets, while the kernel comes and goes.
TEST(ServiceLaunch, BothKindsAtOnce) {
  genesys::service_server server(all_services{}, {.blocks = 3, .slots = 16, .idle_us = 20, .stay_ms = 1});
  const auto hashes = server.load(hash_of_7{3});
  const auto scales = server.load(scale{});
  std::atomic<u32> wrong{0};
  std::vector<std::thread> all;
  for (u32 t = 0; t < 4; ++t) {
    all.emplace_back([&, t] {
      std::mt19937_64 random(seed() + t);
      constexpr u32 count = 300;
      u64* const from = allocate<u64>(server, count);
      u64* const to = allocate<u64>(server, count);
      for (u32 i = 0; i < count; ++i) from[i] = random();
      for (u32 round = 0; round < 400 / shorter; ++round) {
        const auto where = random() % 2 == 0 ? service_path::launch : service_path::gpu;
        const u32 blocks = 1 + random() % 8;
        const hash_of_7::arguments with{{random(), round}};
        auto ticket = server.submit(hashes, with, {.blocks = blocks, .where = where});
        const auto other = random() % 2 == 0 ? service_path::launch : service_path::gpu;
        wrong += server.call(scales, {from, to, count, round}, {.blocks = blocks, .where = other}) == count ? 0 : 1;
        for (u32 i = 0; i < count; ++i) wrong += to[i] != from[i] * 3 + round;
        if (random() % 4 != 0) wrong += ticket.wait() == blocks * hash_of_7::of(3, with) ? 0 : 1;
      }
    });
  }
  for (auto& thread : all) thread.join();
  EXPECT_EQ(wrong, 0u) << "GENESYS_TEST_SEED=" << seed();
  const auto counts = server.counts();
  EXPECT_GT(counts.launched, 0u);
  EXPECT_LT(counts.launched, counts.requests);
  EXPECT_EQ(counts.malformed + counts.timed_out, 0u);
}

TEST(ServiceLaunch, TheDestructorWaitsForALaunch) {
  std::thread late;
  genesys::service_ticket ticket = [&] {
    genesys::service_server server(all_services{});
    const auto waits = server.load(wait_for{});
    u32* const word = allocate<u32>(server, 1);
    auto made = server.submit(waits, {word}, launched(1));
    late = std::thread([word] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      store(word, 9);
    });
    return made;
  }();
  late.join();
  EXPECT_EQ(ticket.wait(), 9);
}

// The destructor gives it up, and leaves the memory to it.
TEST(ServiceLaunch, ALaunchThatDoesNotEndIsGivenUp) {
  static u32* word = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  genesys::service_ticket ticket = [] {
    genesys::service_server server(all_services{}, {.limit_ms = 0, .shutdown_timeout_ms = 200});
    const auto waits = server.load(wait_for{});
    word = allocate<u32>(server, 1);
    return server.submit(waits, {word}, launched(1));
  }();
  EXPECT_EQ(ticket.wait(), -ECANCELED);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  store(word, 1);
}

// Other requests go on, also those with launches.
TEST(ServiceLaunch, ALaunchThatTakesTooLongTimesOut) {
  genesys::service_server server(all_services{}, {.slots = 16, .limit_ms = 300});
  const auto waits = server.load(wait_for{});
  const auto hashes = server.load(hash_of_1{4});
  u32* const word = allocate<u32>(server, 1);
  EXPECT_EQ(server.call(waits, {word}, launched(1)), -ETIMEDOUT);
  EXPECT_EQ(server.submit(waits, {word}, launched(2)).wait(), -ETIMEDOUT);
  EXPECT_EQ(server.counts().timed_out, 2u);
  for (u64 i = 0; i < 8; ++i) ASSERT_EQ(server.call(hashes, {{i}}, launched(1)), hash_of_1::of(4, {{i}}));
  store(word, 1);
  EXPECT_TRUE(until([&] { return server.call(hashes, {{1}}) == hash_of_1::of(4, {{1}}); }));
}

TEST(ServiceLaunch, UnloadWaitsForALaunch) {
  genesys::service_server server(all_services{});
  const auto waits = server.load(wait_for{});
  u32* const word = allocate<u32>(server, 1);
  auto ticket = server.submit(waits, {word}, launched(1));
  EXPECT_EQ(server.unload(waits, 20), -ETIMEDOUT);
  EXPECT_EQ(server.call(waits, {word}, launched(1)), -ENOENT);
  store(word, 7);
  EXPECT_EQ(server.unload(waits), 0);
  EXPECT_EQ(ticket.wait(), 7);
}

// A wide request of a service without a twin goes to the kernel and to launches, a narrow one to the kernel alone.
TEST(ServiceLaunch, WideRequestsAreLaunchedByChoice) {
  ::setenv("GENESYS_SERVICE_COSTS", "0", 1);
  genesys::service_server server(twin_services{}, {.blocks = 2, .where = service_path::automatic});
  const auto hashes = server.load(hash_of_7{5});
  const auto increments = server.load(increment{});
  const hash_of_7::arguments with{{1, 2, 3}};
  for (u32 i = 0; i < 50; ++i) ASSERT_EQ(server.call(hashes, with, {.blocks = 2}), 2 * hash_of_7::of(5, with));
  EXPECT_EQ(server.counts().launched, 0u);
  for (u32 i = 0; i < 50; ++i) ASSERT_EQ(server.call(hashes, with, {.blocks = 40}), 40 * hash_of_7::of(5, with));
  const u64 without_twin = server.counts().launched;
  EXPECT_GE(without_twin, 3u);
  EXPECT_LE(without_twin, 47u);
  u32* const memory = allocate<u32>(server, 100);
  store(memory + 99, 1);
  for (u32 i = 0; i < 50; ++i) {
    const long result = server.call(increments, {{memory, 16}, {memory + 8, 16}, memory + 99}, {.blocks = 5});
    ASSERT_TRUE(result == 0 || result == 7) << result;
  }
  EXPECT_GE(server.counts().launched, without_twin + 3);
  EXPECT_GE(server.counts().by_choice, 3u);
}

}  // namespace
