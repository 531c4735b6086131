// SPDX-License-Identifier: Apache-2.0
// The exact decimal digits of a double. Numbers of usual sizes take 128-bit arithmetic; all others a multiplication of
// limbs, which is slower. Any thread, host or kernel.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::libc {

__extension__ typedef unsigned __int128 u128;

/// A double without its sign: mantissa * 2^exponent, with a mantissa below 2^53.
struct binary_number {
  u64 mantissa;
  int exponent;
};

GENESYS_KERNEL binary_number binary_of(u64 bits) {
  const u64 fraction = bits & ((u64{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  return biased == 0 ? binary_number{fraction, -1074} : binary_number{fraction | u64{1} << 52, biased - 1075};
}

/// 10 to the power of 0 to 38.
GENESYS_KERNEL_OUTLINE inline u128 power_of_ten(int n) {
  u128 power = 1;
  GENESYS_NO_UNROLL
  while (n-- > 0) power *= 10;
  return power;
}

/// value / 2^shift, rounded to nearest, ties to even. `shift` is 0 to 127.
GENESYS_KERNEL_OUTLINE inline u128 shifted_to_nearest(u128 value, int shift) {
  if (shift == 0) return value;
  const u128 half = u128{1} << (shift - 1), rest = value & (half * 2 - 1), whole = value >> shift;
  return whole + (rest > half || (rest == half && (whole & 1) != 0) ? 1 : 0);
}

/// A decimal number: an integer in base 1e9, of which `decimals` digits stand behind the point.
class decimal {
 public:
  /// The number with at least `wanted` correct digits behind the point, rounded there if that is simple; else exact.
  GENESYS_KERNEL_OUTLINE void set_fixed(binary_number from, int wanted) {
    if (from.exponent >= 0 && from.exponent <= 64) return set(static_cast<u128>(from.mantissa) << from.exponent, 0);
    if (from.exponent >= 0 || wanted > power_max) return set_exact(from);
    if (from.exponent <= -128) return set(0, wanted);  // mantissa * 10^power_max < 2^127
    set(shifted_to_nearest(from.mantissa * power_of_ten(wanted), -from.exponent), wanted);
  }

  /// The number with at least `wanted` correct digits from its first one on, rounded there if that is simple; else
  /// exact.
  GENESYS_KERNEL_OUTLINE void set_significant(binary_number from, int wanted) {
    if (from.mantissa == 0) return set(0, 0);
    const int log2 = from.exponent + 63 - leading_zeros(from.mantissa);
    const int log10 = (log2 * 78913) >> 18;  // floor(log2 * log10(2)) in this range; the number's own is this or 1 more
    const int scale = wanted - 1 - log10;
    if (wanted > 17 || log2 > 63 || scale > power_max || from.exponent < -127) return set_exact(from);
    if (!set_rounded(from, wanted, scale)) set_rounded(from, wanted, scale - 1);
  }

  /// Makes the lowest `drop` digits zeros, rounded to nearest, ties to even.
  GENESYS_KERNEL_OUTLINE void round(int drop) {
    if (drop <= 0) return;
    int at = drop / 9;
    if (at > count_) return set(0, decimals_);
    if (at == count_) limbs_[count_++] = 0;
    const u32 unit = static_cast<u32>(power_of_ten(drop % 9));
    u32 rest = limbs_[at] % unit, half = unit / 2;
    int lower = at;  // limbs below `rest`
    if (unit == 1) {
      lower = at - 1;
      rest = limbs_[lower];
      half = limb_base / 2;
    }
    u32 more = 0;
    GENESYS_NO_UNROLL
    for (int i = 0; i < lower; ++i) more |= limbs_[i];
    const bool odd = limbs_[at] / unit % 2 != 0;
    GENESYS_NO_UNROLL
    for (int i = 0; i < at; ++i) limbs_[i] = 0;
    limbs_[at] -= limbs_[at] % unit;
    if (rest > half || (rest == half && (more != 0 || odd))) {
      limbs_[at] += unit;
      GENESYS_NO_UNROLL
      while (limbs_[at] >= limb_base) {
        limbs_[at] -= limb_base;
        if (++at == count_) limbs_[count_++] = 0;
        ++limbs_[at];
      }
    }
    GENESYS_NO_UNROLL
    while (count_ > 1 && limbs_[count_ - 1] == 0) --count_;
  }

  GENESYS_KERNEL bool is_zero() const { return count_ == 1 && limbs_[0] == 0; }
  GENESYS_KERNEL int decimals() const { return decimals_; }

  /// The number of digits from the first that is not 0 on; 1 for zero.
  GENESYS_KERNEL_OUTLINE int digits() const {
    int n = 9 * (count_ - 1) + 1;
    GENESYS_NO_UNROLL
    for (u32 top = limbs_[count_ - 1]; top >= 10; top /= 10) ++n;
    return n;
  }

  /// The power of ten of the first digit.
  GENESYS_KERNEL int exponent() const { return is_zero() ? 0 : digits() - 1 - decimals_; }

  /// How many of the last digits are 0. The number is not zero.
  GENESYS_KERNEL int trailing_zeros() const {
    int limb = 0;
    GENESYS_NO_UNROLL
    while (limbs_[limb] == 0) ++limb;
    int zeros = 9 * limb;
    GENESYS_NO_UNROLL
    for (u32 rest = limbs_[limb]; rest % 10 == 0; rest /= 10) ++zeros;
    return zeros;
  }

  /// Writes the nine digits of the limb that holds digit `index`; index 0 is the last digit.
  GENESYS_KERNEL void limb_text(int index, char (&text)[9]) const {
    u32 rest = limbs_[index / 9];
    GENESYS_NO_UNROLL
    for (int i = 8; i >= 0; --i) {
      text[i] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    }
  }

 private:
  static constexpr u32 limb_base = 1'000'000'000;
  static constexpr int limbs_max = 87;  // a double has at most 767 digits, and rounding may add one
  static constexpr int power_max = 22;  // 2^53 * 10^22 is below 2^127

  GENESYS_KERNEL static int leading_zeros(u64 value) {
#if GENESYS_ON_CUDA
    return __clzll(static_cast<long long>(value));
#else
    return __builtin_clzll(value);
#endif
  }

  // Divides 32 bits at a time, because a division of 128 bits is much code.
  GENESYS_KERNEL_OUTLINE void set(u128 value, int decimals) {
    decimals_ = decimals;
    count_ = 0;
    do {
      u64 rest = 0;
      u128 quotient = 0;
      GENESYS_NO_UNROLL
      for (int shift = 96; shift >= 0; shift -= 32) {
        const u64 part = rest << 32 | static_cast<u32>(value >> shift);
        quotient = quotient << 32 | part / limb_base;
        rest = part % limb_base;
      }
      limbs_[count_++] = static_cast<u32>(rest);
      value = quotient;
    } while (value != 0);
  }

  // The number times 10^scale, rounded to an integer, if that has at most `wanted` digits before rounding.
  GENESYS_KERNEL_OUTLINE bool set_rounded(binary_number from, int wanted, int scale) {
    u128 value = from.mantissa, rounded;
    const int shift = -from.exponent;
    if (scale >= 0) {
      value *= power_of_ten(scale);
      if (shift < 0) value <<= -shift;
      const int right = shift > 0 ? shift : 0;
      rounded = shifted_to_nearest(value, right);
      value >>= right;
    } else {
      // The number is below 2^64, and at least 10, so that `shift` is at most 49.
      const u64 divisor = static_cast<u64>(power_of_ten(-scale));
      const u64 whole = shift >= 0 ? from.mantissa >> shift : from.mantissa << -shift;
      const bool more = shift > 0 && (from.mantissa & ((u64{1} << shift) - 1)) != 0;
      const u64 quotient = whole / divisor, rest = whole % divisor, half = divisor / 2;
      value = quotient;
      rounded = quotient + (rest > half || (rest == half && (more || quotient % 2 != 0)) ? 1 : 0);
    }
    if (value >= power_of_ten(wanted)) return false;
    set(rounded, scale);
    return true;
  }

  // mantissa * 2^n is an integer; mantissa / 2^n is mantissa * 5^n / 10^n.
  GENESYS_KERNEL_OUTLINE void set_exact(binary_number from) {
    u64 mantissa = from.mantissa;
    int exponent = from.exponent;
    GENESYS_NO_UNROLL
    while (exponent < 0 && mantissa != 0 && mantissa % 2 == 0) {
      mantissa /= 2;
      ++exponent;
    }
    set(mantissa, exponent < 0 ? -exponent : 0);
    if (mantissa == 0) return;
    GENESYS_NO_UNROLL
    for (; exponent >= 29; exponent -= 29) multiply(1u << 29);
    if (exponent > 0) multiply(1u << exponent);
    GENESYS_NO_UNROLL
    for (; exponent <= -12; exponent += 12) multiply(244'140'625);  // 5^12
    u32 rest = 1;
    GENESYS_NO_UNROLL
    for (; exponent < 0; ++exponent) rest *= 5;
    multiply(rest);
  }

  // `by` is below limb_base, so that the last carry is, too.
  GENESYS_KERNEL_OUTLINE void multiply(u32 by) {
    u64 carry = 0;
    GENESYS_NO_UNROLL
    for (int i = 0; i < count_; ++i) {
      carry += static_cast<u64>(limbs_[i]) * by;
      limbs_[i] = static_cast<u32>(carry % limb_base);
      carry /= limb_base;
    }
    if (carry != 0) limbs_[count_++] = static_cast<u32>(carry);
  }

  u32 limbs_[limbs_max];  // the lowest first
  int count_;             // limbs in use, at least 1; the last is 0 only for zero
  int decimals_;          // negative: so many digits 0 follow the limbs
};

}  // namespace genesys::detail::libc
