// SPDX-License-Identifier: Apache-2.0
// Requests with callbacks and futures, and batches of requests.
#include <atomic>
#include <cerrno>
#include <deque>
#include <functional>
#include <mutex>

#include "genesys/service_callbacks.h"
#include "testing.h"

namespace service_callers_tests {
namespace {
using namespace service_testing;

TEST(ServiceCallbacks, EachResultIsDeliveredOnce) {
  genesys::service_server server(all_services{}, {.slots = 64});
  const auto hashes = server.load(hash_of_1{3});
  const u64 count = 4000 / shorter;
  std::vector<std::atomic<u32>> calls(count);
  std::atomic<u64> wrong{0};
  {
    genesys::service_callbacks later(server);
    const auto calling_thread = std::this_thread::get_id();
    for (u64 i = 0; i < count; ++i) {
      later.submit(hashes, {{i}}, {}, [&, i](long result) {
        ++calls[i];
        if (result != hash_of_1::of(3, {{i}}) || std::this_thread::get_id() == calling_thread) ++wrong;
      });
    }
  }
  EXPECT_EQ(wrong.load(), 0u);
  for (const auto& one : calls) ASSERT_EQ(one.load(), 1u);
}

TEST(ServiceCallbacks, AnExecutorRunsThem) {
  genesys::service_server server(all_services{});
  const auto calls = server.load(empty{});
  std::mutex lock;
  std::deque<std::function<void()>> posted;
  int ran = 0;
  {
    genesys::service_callbacks later(server, [&](std::function<void()> work) {
      const std::lock_guard hold(lock);
      posted.push_back(std::move(work));
    });
    for (int i = 0; i < 10; ++i) later.submit(calls, {}, {}, [&](long result) { ran += result == 0; });
  }
  EXPECT_EQ(posted.size(), 10u);
  EXPECT_EQ(ran, 0);
  for (auto& work : posted) work();
  EXPECT_EQ(ran, 10);
}

TEST(ServiceCallbacks, FuturesGetResultsAndRefusals) {
  std::unique_ptr<genesys::service_callbacks> later;
  std::future<long> canceled;
  u32* word = nullptr;
  {
    genesys::service_server server(all_services{}, {.limit_ms = 0, .shutdown_timeout_ms = 100});
    later = std::make_unique<genesys::service_callbacks>(server);
    const auto hashes = server.load(hash_of_7{9});
    const auto waits = server.load(wait_for{});
    std::future<long> right = later->submit(hashes, {{1, 2, 3}});
    EXPECT_EQ(right.get(), hash_of_7::of(9, {{1, 2, 3}}));
    EXPECT_EQ(later->submit(hashes, {}, {.blocks = 0}).get(), -EINVAL);
    EXPECT_EQ(server.unload(hashes), 0);
    EXPECT_EQ(later->submit(hashes, {}).get(), -ENOENT);
    word = allocate<u32>(server, 1);
    canceled = later->submit(waits, {word});
    EXPECT_EQ(canceled.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  }
  EXPECT_EQ(canceled.get(), -ECANCELED);  // the server has ended
  store(word, 1);                         // the memory is still there, and the kernel can end
}

// A callback submits the next request, many times.
TEST(ServiceCallbacks, ACallbackSubmits) {
  genesys::service_server server(all_services{});
  const auto hashes = server.load(hash_of_1{1});
  constexpr int steps = 50;
  std::atomic<int> done{0};
  genesys::service_callbacks later(server);
  std::function<void(long)> next = [&](long result) {
    if (++done < steps) later.submit(hashes, {{static_cast<u64>(result)}}, {}, next);
  };
  later.submit(hashes, {{7}}, {}, next);
  EXPECT_TRUE(until([&] { return done.load() == steps; }));
}

TEST(ServiceBatch, EachRequestOfABatchHasItsResult) {
  genesys::service_server server(all_services{}, {.slots = 128});
  const auto hashes = server.load(hash_of_7{11});
  for (const std::size_t count : {0u, 1u, 64u, 127u, 500u}) {  // more than there are slots, too
    std::vector<hash_of_7::arguments> with(count);
    for (std::size_t i = 0; i < count; ++i) with[i] = {{i, count, i * i}};
    auto tickets = server.submit_batch(hashes, with);
    ASSERT_EQ(tickets.size(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(tickets[i].wait(), hash_of_7::of(11, with[i])) << i;
  }
  EXPECT_EQ(server.counts().requests, 692u);
}

TEST(ServiceBatch, WhatFindsNoSlotIsRefused) {
  genesys::service_server server(all_services{}, {.slots = 16});
  const auto waits = server.load(wait_for{});
  u32* const word = allocate<u32>(server, 1);
  const std::vector<wait_for::arguments> with(20, {word});
  auto tickets = server.submit_batch(waits, with, {.full = genesys::when_full::refuse});
  for (std::size_t i = 16; i < 20; ++i) EXPECT_EQ(tickets[i].wait(), -EAGAIN);
  EXPECT_FALSE(tickets[0].is_done());
  store(word, 5);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(tickets[i].wait(), 5);
  EXPECT_EQ(server.unload(waits), 0);  // nobody holds the row
  for (auto& ticket : server.submit_batch(waits, with)) EXPECT_EQ(ticket.wait(), -ENOENT);
  const auto again = server.load(wait_for{});
  for (auto& ticket : server.submit_batch(again, with, {.blocks = 0})) EXPECT_EQ(ticket.wait(), -EINVAL);
}

// Batches and single requests by several threads, for the order of sequence numbers and slots.
TEST(ServiceBatch, BatchesAndRequestsMix) {
  genesys::service_server server(all_services{}, {.slots = 32});
  const auto hashes = server.load(hash_of_24{2});
  const u64 rounds = 200 / shorter;
  std::vector<std::thread> all;
  for (u64 t = 0; t < 3; ++t) {
    all.emplace_back([&, t] {
      for (u64 round = 0; round < rounds; ++round) {
        std::vector<hash_of_24::arguments> with(1 + (round * 7 + t) % 40);
        for (std::size_t i = 0; i < with.size(); ++i) with[i].words[i % 24] = mixed(round * 64 + i);
        auto tickets = server.submit_batch(hashes, with);
        ASSERT_EQ(server.call(hashes, with[0]), hash_of_24::of(2, with[0]));
        for (std::size_t i = 0; i < with.size(); ++i) ASSERT_EQ(tickets[i].wait(), hash_of_24::of(2, with[i]));
      }
    });
  }
  for (auto& one : all) one.join();
}

}  // namespace
}  // namespace service_callers_tests
