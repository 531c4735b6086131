// SPDX-License-Identifier: Apache-2.0
// What the tests of the services share: buffers with guards, random bytes, and a service beside its twin.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "genesys/service.h"
#include "genesys/services/services.h"

namespace services_testing {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using bytes = std::vector<u8>;

inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

inline bytes random_bytes(std::mt19937_64& random, std::size_t count) {
  bytes all(count);
  for (u8& byte : all) byte = static_cast<u8>(random());
  return all;
}

// Words of a small vocabulary: matches of every length and distance.
inline bytes text(std::mt19937_64& random, std::size_t count) {
  static const char* const words[] = {"the ",  "kernel ", "stays ",   "on ",   "device ", "and ",
                                      "reads", "a ",      "request ", "over ", "link, ",  "which\n"};
  bytes all;
  all.reserve(count + 16);
  while (all.size() < count) {
    const char* const word = words[random() % std::size(words)];
    all.insert(all.end(), word, word + std::strlen(word));
    if (random() % 16 == 0) all.push_back(static_cast<u8>(random()));
  }
  all.resize(count);
  return all;
}

inline std::string hex(const u8* from, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", from[i]);
    all += two;
  }
  return all;
}
inline bytes from_hex(const std::string& text) {
  bytes all;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    all.push_back(static_cast<u8>(std::strtoul(text.substr(i, 2).c_str(), nullptr, 16)));
  }
  return all;
}

// A buffer that begins at a multiple of 16 bytes, or `skew` bytes later. On the CPU device the page behind it cannot be
// accessed; what lies between has a pattern, as has the memory before it, and check() finds a change.
class guarded {
 public:
  guarded(genesys::service_server& server, std::size_t count, std::size_t skew = 0) : count_(count) {
    constexpr std::size_t page = 4096;
    const std::size_t span = 64 + skew + count;
    if (server.kind() == genesys::device_kind::cpu) {
      mapped_ = (span + 16 + page - 1) / page * page + page;
      void* const base = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (base == MAP_FAILED || ::mprotect(static_cast<u8*>(base) + mapped_ - page, page, PROT_NONE) != 0) std::abort();
      base_ = static_cast<u8*>(base);
      size_ = mapped_ - page;
      data_ = base_ + (size_ - skew - count) / 16 * 16 + skew;
    } else {
      size_ = span + 64;
      base_ = static_cast<u8*>(server.allocate(size_));
      data_ = base_ + 64 + skew;
    }
    fill();
  }
  ~guarded() {
    if (mapped_ != 0) ::munmap(base_, mapped_);
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

  guarded& operator=(const bytes& from) {
    std::copy(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(std::min(from.size(), count_)), data_);
    return *this;
  }
  void fill() { std::memset(base_, pattern, size_); }
  u8* data() const { return data_; }
  std::size_t size() const { return count_; }
  bytes copy() const { return bytes(data_, data_ + count_); }
  genesys::service_buffer buffer() const { return {data_, count_}; }
  genesys::service_input input() const { return {data_, count_}; }
  bool is_untouched() const { return guards_are_whole() && std::all_of(data_, data_ + count_, is_pattern); }
  bool guards_are_whole() const {
    return std::all_of(base_, data_, is_pattern) && std::all_of(data_ + count_, base_ + size_, is_pattern);
  }

 private:
  static constexpr u8 pattern = 0xa5;
  static bool is_pattern(u8 byte) { return byte == pattern; }
  u8 *base_ = nullptr, *data_ = nullptr;
  std::size_t size_ = 0, count_, mapped_ = 0;
};

using all_services = genesys::services::all;

// A server with few and small blocks, whose size is no power of two.
inline genesys::service_options small(unsigned threads = 96, unsigned blocks = 3) {
  genesys::service_options chosen;
  chosen.blocks = blocks;
  chosen.threads = threads;
  chosen.limit_ms = 60'000;
  return chosen;
}

// Runs the request on the device and by its twin. Both must give `result`, and write the same.
template <class S>
void same_as_twin(genesys::service_server& server, const genesys::service<S>& loaded, const typename S::arguments& with,
                  guarded& output, unsigned blocks, const bytes& before = {}) {
  output.fill();
  output = before;
  const long twin = S{}.on_cpu(with, blocks);
  ASSERT_TRUE(output.guards_are_whole());
  const bytes expected = output.copy();
  output.fill();
  output = before;
  ASSERT_EQ(server.call(loaded, with, {.blocks = blocks}), twin) << S::name;
  ASSERT_TRUE(output.guards_are_whole()) << S::name;
  const bytes found = output.copy();
  const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.begin());
  ASSERT_EQ(a - found.begin(), static_cast<std::ptrdiff_t>(found.size())) << S::name << ": first difference";
}

// A request with wrong numbers: refused on both sides, and nothing is written.
template <class S>
void is_refused(genesys::service_server& server, const genesys::service<S>& loaded, const typename S::arguments& with,
                guarded& output) {
  output.fill();
  ASSERT_EQ(server.call(loaded, with, {.blocks = 2}), -EINVAL) << S::name;
  ASSERT_EQ(S{}.on_cpu(with, 2), -EINVAL) << S::name;
  ASSERT_TRUE(output.is_untouched()) << S::name;
}

}  // namespace services_testing
