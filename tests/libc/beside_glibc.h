// SPDX-License-Identifier: Apache-2.0
// Runs functions of the C library for kernels beside glibc's: each example by glibc on the host, by genesys on the
// host, and by genesys in a kernel, one example a thread. All results must have the same bytes. On the CPU device the
// kernel gets the first examples only, on a GPU all of them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <random>

#include "contract.h"

namespace beside_glibc {

using contract::u32;
using contract::u64;

// Two functors for one body: in OURS the namespace `c` is genesys::posix, in THEIRS it is `glibc`. The body reads `in`
// and writes `out`, which begins as zeros.
#define BESIDE_GLIBC(NAME, IN, OUT, ...)                       \
  struct NAME {                                                \
    struct ours {                                              \
      GENESYS_KERNEL void operator()(const IN& in, OUT& out) { \
        namespace c = genesys::posix;                          \
        __VA_ARGS__                                            \
      }                                                        \
    };                                                         \
    struct theirs {                                            \
      void operator()(const IN& in, OUT& out) {                \
        namespace c = glibc;                                   \
        __VA_ARGS__                                            \
      }                                                        \
    };                                                         \
    using input = IN;                                          \
    using output = OUT;                                        \
  }

inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

// ./dev test --full makes ten times as many.
inline const std::size_t examples_max =
    std::getenv("GENESYS_TEST_FULL") != nullptr && !contract::sanitized ? 100'000 : 10'000;
constexpr std::size_t in_cpu_kernel_max = 2'000;

// Random numbers of one test.
class chance {
 public:
  explicit chance(u64 test) : random_(seed() + test) {}
  // 0 to `below` - 1.
  u32 operator()(u64 below) { return static_cast<u32>(random_() % below); }
  u64 bits() { return random_(); }
  // A string of `length` characters out of `letters`.
  void fill(char* to, std::size_t length, const std::string& letters) {
    for (std::size_t i = 0; i < length; ++i) to[i] = letters[(*this)(letters.size())];
    to[length] = 0;
  }

 private:
  std::mt19937_64 random_;
};

template <class Ours, class In, class Out>
struct each_example {
  GENESYS_KERNEL void operator()(genesys::os, const In* in, Out* out, u32 count) const {
    const u32 i = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (i < count) Ours{}(in[i], out[i]);
  }
};

template <class Out>
void expect_same(const std::vector<Out>& ours, const std::vector<Out>& theirs, const char* where, const char* what) {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < ours.size() && wrong < 3; ++i) {
    const auto *a = reinterpret_cast<const unsigned char*>(&ours[i]),
               *b = reinterpret_cast<const unsigned char*>(&theirs[i]);
    const auto differs = static_cast<std::size_t>(std::mismatch(a, a + sizeof(Out), b).first - a);
    if (differs == sizeof(Out)) continue;
    ++wrong;
    std::ostringstream bytes;
    for (std::size_t at = differs / 8 * 8; at < std::min(differs / 8 * 8 + 16, sizeof(Out)); ++at)
      bytes << " " << int{a[at]} << "/" << int{b[at]};
    ADD_FAILURE() << what << ", example " << i << ", " << where << ": byte " << differs
                  << " of the result differs from glibc's. Ours/glibc's from the word on:" << bytes.str();
  }
}

// `what` names the function in a failure.
template <class Both>
void compare(const std::vector<typename Both::input>& in, const char* what) {
  using input = typename Both::input;
  using output = typename Both::output;
  static_assert(std::has_unique_object_representations_v<output>, "padding would be compared");
  std::vector<output> ours(in.size()), theirs(in.size());
  std::memset(static_cast<void*>(ours.data()), 0, in.size() * sizeof(output));
  std::memset(static_cast<void*>(theirs.data()), 0, in.size() * sizeof(output));
  for (std::size_t i = 0; i < in.size(); ++i) typename Both::ours{}(in[i], ours[i]);
  for (std::size_t i = 0; i < in.size(); ++i) typename Both::theirs{}(in[i], theirs[i]);
  expect_same(ours, theirs, "on the host", what);

  auto& rt = contract::shared_runtime();
  const std::size_t count = contract::on_cuda() ? in.size() : std::min(in.size(), in_cpu_kernel_max);
  contract::on_device<input> given(rt, std::vector<input>(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count)));
  contract::on_device<output> made(rt, count);
  made.fill(0);
  constexpr u32 threads = 128;
  const u32 blocks = (static_cast<u32>(count) + threads - 1) / threads;
  contract::play(rt, {.blocks = {blocks}, .threads = {threads}}, each_example<typename Both::ours, input, output>{},
                 static_cast<const input*>(given.get()), made.get(), static_cast<u32>(count));
  theirs.resize(count);
  expect_same(made.take(), theirs, "in a kernel", what);
}

}  // namespace beside_glibc
