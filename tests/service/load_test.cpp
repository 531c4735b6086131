// SPDX-License-Identifier: Apache-2.0
// Many threads call at once, while the kernel leaves and comes back, and while services are loaded and unloaded.
#include <atomic>
#include <cerrno>
#include <mutex>

#include "testing.h"

namespace {
using namespace service_testing;

constexpr u32 threads = 8;

// One thread's requests, each checked.
class submitter {
 public:
  submitter(genesys::service_server& server, u64 seed)
      : server_(server), random_(seed), from_(allocate<u64>(server, words_max)), to_(allocate<u64>(server, words_max)) {
    for (u32 i = 0; i < words_max; ++i) from_[i] = mixed(seed + i);
  }

  // Returns whether the result was right.
  bool one() {
    switch (random_() % 8) {
      case 0:
        return server_.call(empty_, {}) == 0;
      case 1:
        return scaled(1 + random_() % words_max, 1);
      case 2:
        return scaled(1 + random_() % words_max, 1 + random_() % 6);
      case 3:
        return hashed(of_24_, key_24);
      case 4:
        return hashed(of_7_, key_7);
      case 5:
        return several();
      default:
        return hashed(of_1_, key_1);
    }
  }

  void use(const genesys::service<empty>& e, const genesys::service<hash_of_1>& a, const genesys::service<hash_of_7>& b,
           const genesys::service<hash_of_24>& c, const genesys::service<scale>& s) {
    empty_ = e, of_1_ = a, of_7_ = b, of_24_ = c, scale_ = s;
  }
  static constexpr u64 key_1 = 11, key_7 = 77, key_24 = 2424;

 private:
  static constexpr u32 words_max = 300;

  template <class S>
  typename S::arguments arguments() {
    typename S::arguments with;
    for (u64& word : with.words) word = random_();
    return with;
  }
  template <class S>
  bool hashed(const genesys::service<S>& by, u64 key) {
    const auto with = arguments<S>();
    return server_.call(by, with) == S::of(key, with);
  }
  bool scaled(u32 count, u32 blocks) {
    const u32 add = static_cast<u32>(random_());
    if (server_.call(scale_, {from_, to_, count, add}, {.blocks = blocks}) != static_cast<long>(count)) return false;
    for (u32 i = 0; i < count; ++i) {
      if (to_[i] != from_[i] * 3 + add) return false;
    }
    return true;
  }
  bool several() {
    std::vector<genesys::service_ticket> tickets;
    std::vector<long> expected;
    for (u32 i = 0; i < 4; ++i) {
      const auto with = arguments<hash_of_7>();
      expected.push_back(hash_of_7::of(key_7, with));
      tickets.push_back(server_.submit(of_7_, with));
    }
    if (random_() % 4 == 0) return true;  // nobody waits
    bool right = true;
    for (u32 i = 4; i-- > 0;) right = tickets[i].wait() == expected[i] && right;
    return right;
  }

  genesys::service_server& server_;
  std::mt19937_64 random_;
  u64 *from_, *to_;
  genesys::service<empty> empty_;
  genesys::service<hash_of_1> of_1_;
  genesys::service<hash_of_7> of_7_;
  genesys::service<hash_of_24> of_24_;
  genesys::service<scale> scale_;
};

genesys::service_counts many_requests(const genesys::service_options& how, u32 requests) {
  genesys::service_server server(all_services{}, how);
  const auto e = server.load(empty{});
  const auto a = server.load(hash_of_1{submitter::key_1});
  const auto b = server.load(hash_of_7{submitter::key_7});
  const auto c = server.load(hash_of_24{submitter::key_24});
  const auto s = server.load(scale{});
  std::atomic<u32> wrong{0};
  std::vector<std::thread> all;
  for (u32 t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      submitter one(server, seed() + t);
      one.use(e, a, b, c, s);
      for (u32 i = 0; i < requests; ++i) wrong += one.one() ? 0 : 1;
    });
  }
  for (auto& thread : all) thread.join();
  EXPECT_EQ(wrong, 0u) << "GENESYS_TEST_SEED=" << seed();
  const auto counts = server.counts();
  std::printf("%llu requests, %llu launches\n", static_cast<unsigned long long>(counts.requests),
              static_cast<unsigned long long>(counts.launches));
  EXPECT_EQ(counts.malformed, 0u);
  EXPECT_EQ(counts.timed_out, 0u);
  return counts;
}

TEST(ServiceLoad, ManyThreadsCall) { many_requests({}, 10'000 / shorter); }

TEST(ServiceLoad, FewSlots) { many_requests({.blocks = 4, .slots = 16}, 4'000 / shorter); }

TEST(ServiceLoad, ThreadsSleepAtOnce) { many_requests({.spin_us = 0}, 2'000 / shorter); }

// The kernel leaves whenever it has nothing to do for a moment.
TEST(ServiceLoad, TheKernelLeavesAndComesBack) {
  const auto counts = many_requests({.slots = 16, .idle_us = 0}, 4'000 / shorter);
  EXPECT_GT(counts.launches, 5u);
}

// And under load, with requests in the slots.
TEST(ServiceLoad, TheKernelLeavesUnderLoad) {
  const auto counts = many_requests({.blocks = 3, .stay_ms = 1}, 1'500 / shorter);
  EXPECT_GT(counts.launches, 5u);
}

TEST(ServiceLoad, TheKernelIsAwayBetweenCalls) {
  genesys::service_server server(all_services{}, {.idle_us = 100});
  const auto calls = server.load(empty{});
  for (u32 i = 0; i < 100 / slower + 5; ++i) {
    ASSERT_EQ(server.call(calls, {}), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_GT(server.counts().launches, 1u);
}

// Each request gets the functor of the version that it was submitted with, or -ENOENT.
TEST(ServiceLoad, ServicesAreUnloadedWhileRequestsAreUnderWay) {
  genesys::service_server server(all_services{}, {.idle_us = 50, .stay_ms = 5});
  struct offer {
    genesys::service<hash_of_7> service;
    u64 key = 0;
  };
  std::mutex lock;
  offer current{server.load(hash_of_7{1}), 1};
  std::atomic<bool> stop{false};
  std::atomic<u64> right{0}, absent{0}, wrong{0};
  std::vector<std::thread> all;
  for (u32 t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      std::mt19937_64 random(seed() + t);
      while (!stop) {
        offer mine;
        {
          const std::lock_guard hold(lock);
          mine = current;
        }
        for (u32 i = 0; i < 8; ++i) {
          const hash_of_7::arguments with{{random(), random()}};
          const long result = i % 2 == 0 ? server.call(mine.service, with) : server.submit(mine.service, with).wait();
          if (result == -ENOENT) {
            ++absent;
            std::this_thread::yield();
          } else {
            ++(result == hash_of_7::of(mine.key, with) ? right : wrong);
          }
        }
      }
    });
  }
  constexpr u64 versions = 200 / shorter;
  for (u64 key = 2; key < versions + 2; ++key) {
    const offer before = current;
    if (key % 2 == 0) {  // another row, or the same one
      const auto next = server.load(hash_of_7{key});
      const std::lock_guard hold(lock);
      current = {next, key};
    }
    EXPECT_EQ(server.unload(before.service), 0);
    EXPECT_EQ(server.unload(before.service), -ENOENT);
    EXPECT_EQ(server.call(before.service, {}), -ENOENT);
    if (key % 2 != 0) {
      const auto next = server.load(hash_of_7{key});
      const std::lock_guard hold(lock);
      current = {next, key};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  stop = true;
  for (auto& thread : all) thread.join();
  std::printf("%llu right, %llu refused\n", static_cast<unsigned long long>(right.load()),
              static_cast<unsigned long long>(absent.load()));
  EXPECT_EQ(wrong, 0u) << "GENESYS_TEST_SEED=" << seed();
  EXPECT_GT(right, 0u);
}

TEST(ServiceLoad, UnloadWaitsForRequests) {
  genesys::service_server server(all_services{});
  const auto waits = server.load(wait_for{});
  u32* const word = allocate<u32>(server, 1);
  auto ticket = server.submit(waits, {word});
  EXPECT_EQ(server.unload(waits, 20), -ETIMEDOUT);
  EXPECT_EQ(server.call(waits, {word}), -ENOENT);
  EXPECT_FALSE(ticket.is_done());
  store(word, 7);
  EXPECT_EQ(server.unload(waits), 0);
  EXPECT_EQ(ticket.wait(), 7);
}

TEST(ServiceLoad, AllRowsAreUsedAndUsedAgain) {
  genesys::service_server server(all_services{});
  std::vector<genesys::service<hash_of_1>> loaded;
  for (u32 round = 0; round < 3; ++round) {
    for (u64 key = 0; key < 64; ++key) loaded.push_back(server.load(hash_of_1{key * 10 + round}));
    EXPECT_THROW((void)server.load(empty{}), genesys::error);
    for (u64 key = 0; key < 64; ++key) {
      const hash_of_1::arguments with{{key}};
      ASSERT_EQ(server.call(loaded[key], with), hash_of_1::of(key * 10 + round, with));
      ASSERT_EQ(server.unload(loaded[key]), 0);
    }
    loaded.clear();
  }
}

TEST(ServiceLoad, AFullServerRefusesOrWaits) {
  genesys::service_server server(all_services{}, {.slots = 16});
  const auto waits = server.load(wait_for{});
  const auto calls = server.load(empty{});
  u32* const word = allocate<u32>(server, 1);
  std::vector<genesys::service_ticket> tickets;
  for (u32 i = 0; i < 16; ++i) tickets.push_back(server.submit(waits, {word}));
  EXPECT_EQ(server.call(calls, {}, {.full = genesys::when_full::refuse}), -EAGAIN);
  EXPECT_EQ(server.submit(calls, {}, {.full = genesys::when_full::refuse}).wait(), -EAGAIN);
  std::atomic<bool> done{false};
  std::thread waiter([&] {
    EXPECT_EQ(server.call(calls, {}), 0);
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(done);
  store(word, 3);
  waiter.join();
  for (auto& ticket : tickets) EXPECT_EQ(ticket.wait(), 3);
}

}  // namespace
