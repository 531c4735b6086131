// SPDX-License-Identifier: Apache-2.0
// The conversions a and A: a double in base 16, as glibc writes it. Any thread, host or kernel.
#pragma once

#include "genesys/posix/detail/format_integer.h"

namespace genesys::detail::libc {

// A finite number. Its first digit is 1, or 0 for zero and for subnormal numbers; rounding may make it one more.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_hexadecimal(output<Sink>& out, const conversion& c, number_prefix prefix, u64 bits) {
  constexpr int fraction_digits = 13;
  const bool upper = c.letter == 'A';
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  u64 number = bits & ((u64{1} << 52) - 1);
  int exponent = biased - 1023;
  if (biased != 0)
    number |= u64{1} << 52;
  else
    exponent = number == 0 ? 0 : -1022;

  int digits = fraction_digits;
  if (c.precision >= 0 && c.precision < digits) {
    const int drop = 4 * (digits - c.precision);
    const u64 half = u64{1} << (drop - 1), rest = number & (2 * half - 1);
    number >>= drop;
    if (rest > half || (rest == half && number % 2 != 0)) ++number;
    digits = c.precision;
  }
  if (c.precision < 0) {
    GENESYS_NO_UNROLL
    for (; digits > 0 && number % 16 == 0; --digits) number /= 16;
  }
  char text[1 + fraction_digits], tail[6];
  GENESYS_NO_UNROLL
  for (int i = digits; i >= 0; --i, number /= 16) text[i] = digit_character(static_cast<unsigned>(number % 16), upper);

  const bool negative = exponent < 0;
  char* first = digits_before(tail + sizeof tail, static_cast<u64>(negative ? -exponent : exponent), 0, false);
  if (exponent == 0) *--first = '0';
  *--first = negative ? '-' : '+';
  *--first = upper ? 'P' : 'p';
  const u64 tail_bytes = static_cast<u64>(tail + sizeof tail - first);

  const u64 zeros = c.precision > digits ? static_cast<u64>(c.precision - digits) : 0;
  const bool point = digits > 0 || zeros > 0 || c.has(flag_alternate);
  prefix.add('0');
  prefix.add(upper ? 'X' : 'x');
  out.open_field(c, prefix, 1 + point + static_cast<u64>(digits) + zeros + tail_bytes, true);
  out.write(text, 1);
  if (point) out.fill('.', 1);
  out.write(text + 1, static_cast<u64>(digits));
  out.fill('0', zeros);
  out.write(first, tail_bytes);
  out.close_field();
}

}  // namespace genesys::detail::libc
