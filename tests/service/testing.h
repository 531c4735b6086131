// SPDX-License-Identifier: Apache-2.0
// Services of these tests. They run on either device.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <thread>
#include <vector>

#include "genesys/service.h"

namespace service_testing {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr u32 slower = 20;  // how much a sanitizer slows the CPU device down, roughly
#else
constexpr u32 slower = 1;
#endif

// In ./dev test --full, and on a GPU, the tests under load take longer.
#if defined(GENESYS_TEST_FULL_PRODUCT) || defined(__CUDACC__)
constexpr u32 shorter = slower;
#else
constexpr u32 shorter = slower * 4;
#endif

// Nothing.
struct empty {
  struct arguments {};
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};

GENESYS_KERNEL u64 mixed(u64 value) {
  value ^= value >> 31;
  value *= 0x9e37'79b9'7f4a'7c15u;
  return value ^ value >> 29;
}

// The same without fences on a GPU.
struct quiet_empty : empty {
  static constexpr bool quiet = true;
};

// A hash of its words, in 31 bits.
template <u32 count>
struct hash {
  struct arguments {
    u64 words[count];
  };
  static constexpr bool quiet = count != 24;
  u64 key = 0;
  GENESYS_KERNEL static long of(u64 key, const arguments& with) {
    u64 sum = key;
    for (u32 i = 0; i < count; ++i) sum = mixed(sum + with.words[i]);
    return static_cast<long>(sum & 0x7fff'ffffu);
  }
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const { return of(key, with); }
};
using hash_of_1 = hash<1>;
using hash_of_7 = hash<7>;
using hash_of_24 = hash<24>;  // as many as a request has

// to[i] = from[i] * 3 + add. Returns how many words this block has written, so a request returns them all.
struct scale {
  struct arguments {
    const u64* from;
    u64* to;
    u32 count, add;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    u32& written = genesys::shared<u32, scale>();
    if (genesys::thread_rank() == 0) written = 0;
    genesys::sync_block();
    u32 mine = 0;
    for (u64 i = here.thread(); i < with.count; i += here.threads(), ++mine) with.to[i] = with.from[i] * 3 + with.add;
    genesys::atomic<u32, genesys::thread_scope::block>(written).fetch_add(mine);
    genesys::sync_block();
    return written;
  }
};

// Waits until the word is not 0, and returns it.
struct wait_for {
  struct arguments {
    u32* word;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    u32 seen = 0;
    genesys::atomic<u32, genesys::thread_scope::system> word(*with.word);
    while ((seen = word.load()) == 0) genesys::pause();
    return seen;
  }
};

// Block b returns values[b].
struct value_of_block {
  struct arguments {
    long values[8];
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    return with.values[here.block % 8];
  }
};

// Not in the list.
struct unknown {
  struct arguments {};
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};

using all_services =
    genesys::service_list<empty, quiet_empty, hash_of_1, hash_of_7, hash_of_24, scale, wait_for, value_of_block>;

template <class T>
T* allocate(genesys::service_server& from, std::size_t count) {
  return static_cast<T*>(from.allocate(count * sizeof(T)));
}

inline void store(u32* word, u32 value) { std::atomic_ref<u32>(*word).store(value); }

// Requests of so many blocks each, whose output is looked at whole.
inline void blocks_share_a_request(genesys::service_path where, std::initializer_list<u32> blocks_of) {
  genesys::service_server server(all_services{}, {.blocks = 3});
  const auto scales = server.load(scale{});
  constexpr u32 count = 10'000;
  u64* const from = allocate<u64>(server, count);
  u64* const to = allocate<u64>(server, count);
  for (u32 i = 0; i < count; ++i) from[i] = mixed(i);
  for (const u32 blocks : blocks_of) {
    ASSERT_EQ(server.call(scales, {from, to, count, blocks}, {.blocks = blocks, .where = where}),
              static_cast<long>(count))
        << blocks;
    for (u32 i = 0; i < count; ++i) ASSERT_EQ(to[i], from[i] * 3 + blocks) << i;
  }
}

// Waits for a condition, ten seconds at most.
template <class F>
bool until(F condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

}  // namespace service_testing
