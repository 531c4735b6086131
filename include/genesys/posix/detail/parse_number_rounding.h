// SPDX-License-Identifier: Apache-2.0
// Rounds a binary number to double or float: to nearest, ties to even. Any thread, host or kernel.
#pragma once

#include <errno.h>

#include "genesys/posix/detail/parse_number.h"

namespace genesys::detail::libc {

/// A binary format of IEEE 754.
struct floating_format {
  int mantissa_bits;  // with the first one, which is not stored
  int exponent_min;   // of the smallest normal number
  int exponent_max;

  GENESYS_KERNEL u64 infinity() const {
    return static_cast<u64>(exponent_max - exponent_min + 2) << (mantissa_bits - 1);
  }
  GENESYS_KERNEL u64 sign() const { return infinity() + (u64{1} << (mantissa_bits - 1)); }
};

GENESYS_KERNEL floating_format double_format() { return {53, -1022, 1023}; }
GENESYS_KERNEL floating_format float_format() { return {24, -126, 127}; }

struct rounded_number {
  u64 bits;
  int error;
};

// value / 2^drop, rounded. `more`: the value is a little more. `drop` is 1 to 64.
GENESYS_KERNEL u64 dropped_bits(u64 value, int drop, bool more, bool& exact) {
  const u64 half = u64{1} << (drop - 1), rest = value & (half | (half - 1)), whole = drop == 64 ? 0 : value >> drop;
  exact = rest == 0 && !more;
  return whole + (rest > half || (rest == half && (more || whole % 2 != 0)) ? 1 : 0);
}

/// Rounds mantissa * 2^exponent. The mantissa's highest bit is set. `more`: the number is a little more. The error is
/// ERANGE if the result is infinite, or if it is inexact and would be below the smallest normal number even with an
/// unbounded exponent; so does glibc on x86.
GENESYS_KERNEL_OUTLINE inline rounded_number round_number(floating_format to, u64 mantissa, i64 exponent, bool more) {
  const i64 top = exponent + 63;
  if (top > to.exponent_max) return {to.infinity(), ERANGE};
  if (top < to.exponent_min - to.mantissa_bits) return {0, ERANGE};
  const int dropped = 64 - to.mantissa_bits, below = static_cast<int>(to.exponent_min - top);
  bool exact;
  const u64 normal = dropped_bits(mantissa, dropped, more, exact);
  if (below <= 0) {
    const u64 bits = (static_cast<u64>(-below) << (to.mantissa_bits - 1)) + normal;  // its first bit adds 1 to -below
    return {bits, bits >= to.infinity() ? ERANGE : 0};
  }
  const bool tiny = below > 1 || normal < u64{1} << to.mantissa_bits;
  const u64 bits = dropped_bits(mantissa, dropped + below, more, exact);
  return {bits, tiny && !exact ? ERANGE : 0};
}

}  // namespace genesys::detail::libc
