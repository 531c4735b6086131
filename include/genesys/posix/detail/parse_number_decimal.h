// SPDX-License-Identifier: Apache-2.0
// Decimal digits to a binary number, exactly: 64 bits of it, and whether there is more. Any thread, host or kernel.
//
// It keeps 768 digits. Half of a step between doubles has at most 767 digits, so that of further ones only matters
// whether one is not 0.
#pragma once

#include "genesys/posix/detail/parse_number.h"

namespace genesys::detail::libc {

/// Digits in a text, which may have a point among them: "0.00123" is 1.23 * 10^-3.
struct decimal_text {
  const char* first;  // the first digit that is not 0
  const char* last;   // behind the last digit that is not 0
  i64 exponent;       // the power of ten of the first digit
};

struct binary_part {
  u64 mantissa;  // its highest bit is set
  i64 exponent;  // the number is mantissa * 2^exponent
  bool more;     // and a little more
};

class decimal_reader {
 public:
  /// `from` is not zero, and between 10^-330 and 10^400.
  GENESYS_KERNEL_OUTLINE binary_part read(decimal_text from) {
    load(from);
    i64 exponent = 0;
    GENESYS_NO_UNROLL
    for (; count_ - point_ < 3; exponent -= step) multiply();
    GENESYS_NO_UNROLL
    for (; count_ - point_ > 4; exponent += step) divide();
    u128 whole = 0;  // between 10^18 and 10^36
    GENESYS_NO_UNROLL
    for (int i = count_ - 1; i >= point_; --i) whole = whole * limb_base + limbs_[i];
    GENESYS_NO_UNROLL
    for (int i = 0; i < point_; ++i) more_ |= limbs_[i] != 0;
    const u64 high = static_cast<u64>(whole >> 64);
    if (high == 0) {
      const int shift = leading_zeros(static_cast<u64>(whole));
      return {static_cast<u64>(whole) << shift, exponent - shift, more_};
    }
    const int shift = 64 - leading_zeros(high);
    more_ |= (whole & ((u128{1} << shift) - 1)) != 0;
    return {static_cast<u64>(whole >> shift), exponent + shift, more_};
  }

 private:
  static constexpr u32 limb_base = 1'000'000'000;
  static constexpr int step = 29;  // 2^29 is below limb_base
  static constexpr int digits_max = 768;
  // The digits need 87 limbs. multiply() adds a limb for each of the 37 limbs that are 0 behind the point, and 3.
  static constexpr int limbs_max = 128;

  GENESYS_KERNEL static int leading_zeros(u64 value) {
#if GENESYS_ON_CUDA
    return __clzll(static_cast<long long>(value));
#else
    return __builtin_clzll(value);
#endif
  }

  GENESYS_KERNEL static int limb_of(i64 power) { return static_cast<int>(power >= 0 ? power / 9 : (power - 8) / 9); }

  // Two passes: the last digit decides where the first one goes.
  GENESYS_KERNEL void load(decimal_text from) {
    i64 digits = 0;
    GENESYS_NO_UNROLL
    for (const char* at = from.first; at != from.last && digits < digits_max; ++at) digits += *at != '.';
    const i64 lowest = from.exponent - (digits - 1);
    const int low_limb = limb_of(lowest) < 0 ? limb_of(lowest) : 0;
    point_ = -low_limb;
    count_ = limb_of(from.exponent) - low_limb + 1;
    more_ = false;
    GENESYS_NO_UNROLL
    for (int i = 0; i < count_; ++i) limbs_[i] = 0;

    i64 power = from.exponent;
    u32 limb = 0;
    GENESYS_NO_UNROLL
    for (const char* at = from.first; at != from.last; ++at) {
      if (*at == '.') continue;
      if (power < lowest) {
        more_ = true;
        break;
      }
      limb = limb * 10 + static_cast<u32>(*at - '0');
      const int place = limb_of(power);
      if (power-- == 9 * static_cast<i64>(place)) {
        limbs_[place - low_limb] = limb;
        limb = 0;
      }
    }
    if (limb != 0) {  // digits behind the last one are 0
      const int place = limb_of(power);
      GENESYS_NO_UNROLL
      for (; power >= 9 * static_cast<i64>(place); --power) limb *= 10;
      limbs_[place - low_limb] = limb;
    }
  }

  // All of it times 2^step.
  GENESYS_KERNEL void multiply() {
    u64 carry = 0;
    GENESYS_NO_UNROLL
    for (int i = 0; i < count_; ++i) {
      carry += static_cast<u64>(limbs_[i]) << step;
      limbs_[i] = static_cast<u32>(carry % limb_base);
      carry /= limb_base;
    }
    if (carry != 0) limbs_[count_++] = static_cast<u32>(carry);
  }

  // The integer part divided by 2^step. Of the rest only matters whether it is 0.
  GENESYS_KERNEL void divide() {
    u64 rest = 0;
    GENESYS_NO_UNROLL
    for (int i = count_ - 1; i >= point_; --i) {
      rest = rest * limb_base + limbs_[i];
      limbs_[i] = static_cast<u32>(rest >> step);
      rest &= (u64{1} << step) - 1;
    }
    more_ |= rest != 0;
    if (limbs_[count_ - 1] == 0) --count_;
  }

  u32 limbs_[limbs_max];  // base 10^9, the lowest first
  int count_;             // limbs in use; the last is not 0
  int point_;             // limbs behind the point; may be more than `count_`
  bool more_;
};

}  // namespace genesys::detail::libc
