// SPDX-License-Identifier: Apache-2.0
// Many threads make requests of mixed sizes while the child is killed at random moments. Each request is answered once,
// with the right result. GENESYS_TEST_REQUESTS: how many requests (default 100,000).
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>

#include "isolated.h"

namespace {
using namespace service_testing;

constexpr u32 threads = 64;
constexpr u32 words_max = 4096;

u64 requests_wanted() {
  const char* given = std::getenv("GENESYS_TEST_REQUESTS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 100'000 / slower;
}

struct tallies {
  std::atomic<u64> right{0}, wrong{0}, lost{0}, made{0};
};

class submitter {
 public:
  submitter(isolated& server, u64 seed, tallies& into)
      : server_(server),
        into_(into),
        random_(seed),
        from_(allocate<u64>(*server, words_max)),
        to_(allocate<u64>(*server, words_max)) {
    for (u32 i = 0; i < words_max; ++i) from_[i] = mixed(seed + i);
  }
  ~submitter() {
    server_->free(from_);
    server_->free(to_);
  }

  void work(u64 requests, const genesys::service<twin_hash_1>& one, const genesys::service<twin_hash_24>& many,
            const genesys::service<twin_scale>& scales, const genesys::service<hash_of_7>& lone) {
    for (u64 i = 0; i < requests; ++i) {
      switch (random_() % 8) {
        case 0:
        case 1:
          scaled(scales);
          break;
        case 2:
          hashed<hash_of_24>(many, key_24);
          break;
        case 3:
          if (random_() % 256 == 0) without_twin(lone);  // it waits for the next child
          break;
        case 4:
          i += tickets(one);
          break;
        default:
          hashed<hash_of_1>(one, key_1);
      }
    }
  }
  static constexpr u64 key_1 = 11, key_7 = 77, key_24 = 2424;

 private:
  void count(bool is_right) { ++(is_right ? into_.right : into_.wrong); }

  template <class H, class S>
  void hashed(const genesys::service<S>& by, u64 key) {
    typename S::arguments with;
    for (u64& word : with.words) word = random_();
    ++into_.made;
    count(server_->call(by, with) == H::of(key, with));
  }
  void scaled(const genesys::service<twin_scale>& by) {
    const u32 words = 1 + static_cast<u32>(random_() % (random_() % 8 == 0 ? words_max : 64));
    const u32 add = static_cast<u32>(random_()), blocks = 1 + static_cast<u32>(random_() % 4);
    ++into_.made;
    bool right = server_->call(by, {from_, to_, words, add}, {.blocks = blocks}) == static_cast<long>(words);
    for (u32 i = 0; i < words; ++i) right = right && to_[i] == from_[i] * 3 + add;
    count(right);
  }
  void without_twin(const genesys::service<hash_of_7>& by) {
    hash_of_7::arguments with;
    for (u64& word : with.words) word = random_();
    ++into_.made;
    const long result = server_->call(by, with);
    if (result == -EIO) {
      ++into_.lost;
    } else {
      count(result == hash_of_7::of(key_7, with));
    }
  }
  u64 tickets(const genesys::service<twin_hash_1>& by) {
    std::vector<genesys::service_ticket> all;
    std::vector<long> expected;
    const u64 wanted = 1 + random_() % 8;
    for (u64 i = 0; i < wanted; ++i) {
      const hash_of_1::arguments with{{random_()}};
      expected.push_back(hash_of_1::of(key_1, with));
      all.push_back(server_->submit(by, with));
    }
    into_.made += wanted;
    if (random_() % 8 == 0) {  // nobody waits
      into_.right += wanted;
      return wanted;
    }
    for (u64 i = wanted; i-- > 0;) {
      while (random_() % 4 == 0 && !all[i].is_done()) std::this_thread::yield();
      count(all[i].wait() == expected[i]);
    }
    return wanted;
  }

  isolated& server_;
  tallies& into_;
  std::mt19937_64 random_;
  u64 *from_, *to_;
};

void under_kills(const genesys::service_options& how, u64 requests, u32 pause_ms_max) {
  isolated server(how);
  twin_pause_us = server->kind() == genesys::device_kind::cuda ? 200 : 1000;
  const auto one = server->load(twin_hash_1{{.key = submitter::key_1}});
  const auto many = server->load(twin_hash_24{{.key = submitter::key_24}});
  const auto scales = server->load(twin_scale{});
  const auto lone = server->load(hash_of_7{submitter::key_7});
  tallies sums;
  std::atomic<bool> stop{false};
  std::thread killer([&] {
    std::mt19937_64 random(seed() ^ 0x1234);
    for (u64 served = 0; !stop;) {
      // Half of the children die while they serve, the others at any moment of their start.
      const bool while_it_serves = random() % 2 == 0;
      while (while_it_serves && !stop && server->counts().replaced < served)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const u64 pause_max = served == 0 ? std::min(20u, pause_ms_max) : pause_ms_max;  // some are made in half a second
      std::this_thread::sleep_for(std::chrono::microseconds(1000 + random() % (pause_max * 1000)));
      served = server->counts().replaced + 1;
      server.kill_child();
    }
  });
  const auto is_enough_by_kernel = [&] {
    const auto now = server->counts();
    return now.requests - now.by_twins > now.requests / 100;
  };
  for (u32 round = 0; round < 5 && !is_enough_by_kernel(); ++round) {  // a child may take longer to start than a round
    std::vector<std::thread> all;
    for (u32 t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        submitter(server, seed() + round * threads + t, sums).work(requests / threads, one, many, scales, lone);
      });
    }
    for (auto& thread : all) thread.join();
  }
  EXPECT_TRUE(until([&] { return server->counts().replaced > 0; }));
  stop = true;
  killer.join();
  EXPECT_TRUE(until([&] {  // those of tickets that nobody waits for
    const auto counts = server->counts();
    return counts.requests >= sums.made - sums.lost;
  }));
  const auto counts = server->counts();
  std::printf("%llu requests: %llu by twins, of which the GPU had %llu; %llu lost; %llu children, %llu launches\n",
              static_cast<unsigned long long>(counts.requests), static_cast<unsigned long long>(counts.by_twins),
              static_cast<unsigned long long>(counts.redone), static_cast<unsigned long long>(counts.lost),
              static_cast<unsigned long long>(counts.replaced), static_cast<unsigned long long>(counts.launches));
  EXPECT_EQ(sums.wrong, 0u) << "GENESYS_TEST_SEED=" << seed();
  EXPECT_EQ(sums.right + sums.lost, sums.made);
  EXPECT_GT(counts.replaced, 0u);
  EXPECT_TRUE(is_enough_by_kernel());
  twin_pause_us = 0;
  EXPECT_EQ(counts.malformed, 0u);
  EXPECT_EQ(counts.timed_out, 0u);
}

TEST(IsolatedStress, TheChildIsKilledUnderLoad) {
  under_kills({.slots = 64, .limit_ms = 60'000}, requests_wanted(), 200);
}

TEST(IsolatedStress, TheChildIsKilledUnderLoadAndLeavesOften) {
  under_kills({.slots = 16, .idle_us = 0, .stay_ms = 1, .limit_ms = 60'000}, requests_wanted() / 4, 50);
}

}  // namespace
