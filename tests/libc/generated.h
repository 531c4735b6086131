// SPDX-License-Identifier: Apache-2.0
// Generated inputs of the tests of formats and numbers: the seed, how many, random doubles.
#pragma once

#include <cstdio>
#include <random>

#include "contract.h"

namespace generated {

using contract::u32;
using contract::u64;

inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

inline bool full() { return std::getenv("GENESYS_TEST_FULL") != nullptr && !contract::sanitized; }
// Cases that the host compares, and those that a kernel computes.
inline u32 on_host() { return full() ? 1'000'000 : 50'000; }
inline u32 in_kernel() { return full() ? (contract::on_cuda() ? 1'000'000 : 50'000) : 5'000; }

class chance {
 public:
  explicit chance(u64 test) : random_(seed() * 1000 + test) {}
  // 0 to `below` - 1.
  u32 operator()(u64 below) { return static_cast<u32>(random_() % below); }
  bool one_in(u32 n) { return random_() % n == 0; }
  u64 bits() { return random_(); }
  // As many bits as chance says, so that small numbers occur as often as large ones.
  u64 some_bits() { return random_() >> (*this)(64); }
  template <std::size_t N>
  const char* of(const char* const (&all)[N]) {
    return all[(*this)(N)];
  }

  u64 any_bits() { return one_in(8) ? some_bits() >> 12 : bits(); }  // of a double; some of them are subnormal

  double any_double() {
    switch ((*this)(9)) {
      case 0:  // any bits
        return from_bits(bits());
      case 1:  // a decimal number with few digits
        return static_cast<double>(static_cast<long>(bits() % 20'000'000) - 10'000'000) / power((*this)(10));
      case 2:  // an integer
        return static_cast<double>(static_cast<long>(some_bits()));
      case 3:  // a tie: few bits behind the point
        return std::ldexp(static_cast<double>(some_bits() >> 20 | 1), -static_cast<int>((*this)(60)));
      case 4:  // beside a power of ten
        return from_bits(
            bits_of(std::strtod(("1e" + std::to_string(static_cast<int>((*this)(640)) - 330)).c_str(), nullptr)) - 2 +
            (*this)(5));
      case 5:  // around 1
        return std::ldexp(static_cast<double>(bits()), -static_cast<int>((*this)(128)));
      case 6:  // subnormal
        return from_bits(some_bits() >> 12 | (bits() & u64{1} << 63));
      case 7: {
        const u64 special[] = {
            0, u64{1} << 63, u64{0x7ff} << 52, u64{0xfff} << 52,      u64{0x7ff8} << 48, u64{0xfff8} << 48,
            1, u64{1} << 52, ~u64{0} >> 12,    (u64{0x7ff} << 52) - 1};
        return from_bits(special[(*this)(std::size(special))]);
      }
      default:  // 9.99...
        return (power((*this)(20)) - 1) / power((*this)(20));
    }
  }
  static double from_bits(u64 bits) { return __builtin_bit_cast(double, bits); }
  static u64 bits_of(double value) { return __builtin_bit_cast(u64, value); }

 private:
  static double power(u32 n) {
    double value = 1;
    while (n-- > 0) value *= 10;
    return value;
  }

  std::mt19937_64 random_;
};

}  // namespace generated
