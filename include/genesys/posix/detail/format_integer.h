// SPDX-License-Identifier: Apache-2.0
// The conversions d i u o x X b B and p. Any thread, host or kernel.
#pragma once

#include "genesys/posix/detail/format_output.h"

namespace genesys::detail::libc {

// The value of an argument as the length says.
GENESYS_KERNEL u64 integer_of(const argument& given, length size, bool is_signed) {
  const u64 bits = given.bits;
  switch (size) {
    case length::hh:
      return is_signed ? static_cast<u64>(static_cast<i64>(static_cast<signed char>(bits))) : bits & 0xff;
    case length::h:
      return is_signed ? static_cast<u64>(static_cast<i64>(static_cast<short>(bits))) : bits & 0xffff;
    case length::none:
      return is_signed ? static_cast<u64>(static_cast<i64>(static_cast<int>(bits))) : bits & 0xffff'ffff;
    default:
      return bits;
  }
}

GENESYS_KERNEL char digit_character(unsigned digit, bool upper) {
  return static_cast<char>(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10));
}

// Writes the digits in front of `end`, in base 2 to the power of `shift`, or in base 10 if that is 0. 0 has no digits.
// Returns the first digit.
GENESYS_KERNEL_OUTLINE inline char* digits_before(char* end, u64 value, unsigned shift, bool upper) {
  GENESYS_NO_UNROLL
  while (value != 0) {
    if (shift == 0) {
      *--end = static_cast<char>('0' + value % 10);
      value /= 10;
    } else {
      *--end = digit_character(static_cast<unsigned>(value & ((1u << shift) - 1)), upper);
      value >>= shift;
    }
  }
  return end;
}

template <class Sink>
GENESYS_KERNEL_OUTLINE void put_integer(output<Sink>& out, const conversion& c, const argument& given) {
  const bool pointer = c.letter == 'p', is_signed = c.letter == 'd' || c.letter == 'i';
  u64 value = pointer ? given.bits : integer_of(given, c.size, is_signed);
  const bool upper = c.letter == 'X' || c.letter == 'B', zero = value == 0;
  const unsigned shift = c.letter == 'x' || c.letter == 'X' || pointer ? 4
                         : c.letter == 'o'                             ? 3
                         : c.letter == 'b' || c.letter == 'B'          ? 1
                                                                       : 0;
  number_prefix prefix;
  const bool negative = is_signed && static_cast<i64>(value) < 0;
  if (is_signed || pointer) add_sign(prefix, c, negative);  // glibc gives pointers a sign, too
  if (negative) value = 0 - value;
  if (pointer || (c.has(flag_alternate) && !zero && (shift == 4 || shift == 1))) {
    prefix.add('0');
    prefix.add(pointer ? 'x' : c.letter == 'B' ? 'B' : shift == 1 ? 'b' : c.letter);
  }
  char buffer[64];
  const char* const first = digits_before(buffer + sizeof buffer, value, shift, upper);
  const u64 digits = static_cast<u64>(buffer + sizeof buffer - first);
  u64 least = c.precision < 0 ? 1 : static_cast<u64>(c.precision);
  if (shift == 3 && c.has(flag_alternate) && least <= digits) least = digits + 1;  // an octal number begins with 0
  const u64 zeros = digits < least ? least - digits : 0;
  out.open_field(c, prefix, zeros + digits, c.precision < 0);
  out.fill('0', zeros);
  out.write(first, digits);
  out.close_field();
}

}  // namespace genesys::detail::libc
