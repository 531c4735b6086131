// SPDX-License-Identifier: Apache-2.0
// The engine of strtod() and strtof(): decimal and hexadecimal numbers of any length, inf, nan, nan(...), correctly
// rounded. Any thread, host or kernel.
#pragma once

#include "genesys/posix/detail/parse_number_decimal.h"
#include "genesys/posix/detail/parse_number_integer.h"
#include "genesys/posix/detail/parse_number_rounding.h"

namespace genesys::detail::libc {

// Whether the text begins with the word, in small or capital letters.
GENESYS_KERNEL_OUTLINE inline bool begins_with(const char* text, const char* word) {
  GENESYS_NO_UNROLL
  for (; *word != 0; ++text, ++word)
    if (small_letter(*text) != *word) return false;
  return true;
}

// Digits of a mantissa: "12.5", ".5", "12.".
struct mantissa_text {
  decimal_text digits;  // `first` is null if all are 0
  const char* end;      // null if there is no digit
  u64 head;             // the first digits that are not 0, as a number: up to 19 of base 10, up to 16 of base 16
  int head_digits;
  bool more;  // a digit behind the head is not 0
};

GENESYS_KERNEL_OUTLINE inline mantissa_text read_mantissa(const char* at, unsigned base) {
  const int head_max = base == 10 ? 19 : 16;
  mantissa_text m{{nullptr, nullptr, 0}, nullptr, 0, 0, false};
  bool point = false;
  GENESYS_NO_UNROLL
  for (;; ++at) {
    if (*at == '.' && !point) {
      point = true;
      continue;
    }
    const unsigned digit = digit_value(*at);
    if (digit >= base) break;
    m.end = at + 1;
    const bool leading = m.digits.first == nullptr;  // of this digit and those before it only this one may be not 0
    if (leading && point) --m.digits.exponent;
    if (!leading && !point) ++m.digits.exponent;
    if (digit != 0) {
      if (leading) m.digits.first = at;
      m.digits.last = at + 1;
    }
    if (m.digits.first == nullptr) continue;
    if (m.head_digits < head_max) {
      m.head = m.head * base + digit;
      ++m.head_digits;
    } else {
      m.more |= digit != 0;
    }
  }
  if (m.end == at - 1 && *m.end == '.') m.end = at;  // "12."
  return m;
}

// "e+12" after a mantissa; reads nothing if no digit follows. Exponents have a limit that no text reaches with its
// digits.
GENESYS_KERNEL_OUTLINE inline i64 read_exponent(const char*& at, char letter) {
  constexpr i64 limit = 100'000'000'000'000'000;
  if (small_letter(*at) != letter) return 0;
  const char* digits = at + 1;
  const bool negative = read_sign(digits);
  if (!is_decimal(*digits)) return 0;
  i64 value = 0;
  GENESYS_NO_UNROLL
  for (; is_decimal(*digits); ++digits)
    if (value < limit) value = value * 10 + (*digits - '0');
  at = digits;
  return negative ? -value : value;
}

// "nan" or "nan(...)" at `at`. A number in the parentheses becomes the mantissa of the NaN.
GENESYS_KERNEL_OUTLINE inline parsed_number read_nan(const char* at, floating_format to) {
  const u64 quiet = to.infinity() | u64{1} << (to.mantissa_bits - 2);
  at += 3;
  if (*at != '(') return {quiet, at, 0};
  const char* close = at + 1;
  GENESYS_NO_UNROLL
  while (digit_value(*close) < 36 || *close == '_') ++close;
  if (*close != ')') return {quiet, at, 0};
  const parsed_number code = parse_integer(at + 1, 0, false);
  const u64 mantissa = code.end == close ? code.bits & ((u64{1} << (to.mantissa_bits - 2)) - 1) : 0;
  return {quiet | mantissa, close + 1, code.error};
}

GENESYS_KERNEL parsed_number read_hexadecimal(const char* at, floating_format to) {
  const mantissa_text m = read_mantissa(at, 16);
  const char* end = m.end;
  const i64 exponent = read_exponent(end, 'p');
  if (m.digits.first == nullptr) return {0, end, 0};
  u64 mantissa = m.head;
  i64 power = exponent + 4 * (m.digits.exponent - (m.head_digits - 1));
  GENESYS_NO_UNROLL
  for (; mantissa >> 63 == 0; mantissa <<= 1) --power;
  const rounded_number number = round_number(to, mantissa, power, m.more);
  return {number.bits, end, number.error};
}

GENESYS_KERNEL parsed_number read_decimal(const char* at, floating_format to) {
  constexpr i64 exponent_min = -330, exponent_max = 400;  // outside: 0 or infinite
  mantissa_text m = read_mantissa(at, 10);
  const char* end = m.end;
  if (end == nullptr) return {0, nullptr, 0};
  m.digits.exponent += read_exponent(end, 'e');
  if (m.digits.first == nullptr) return {0, end, 0};
  if (m.digits.exponent < exponent_min) return {0, end, ERANGE};
  if (m.digits.exponent > exponent_max) return {to.infinity(), end, ERANGE};

  // Both numbers are doubles, so that one operation rounds correctly.
  const i64 scale = m.digits.exponent - (m.head_digits - 1);
  if (to.mantissa_bits == 53 && !m.more && m.head < u64{1} << 53 && scale >= -22 && scale <= 22) {
    double power = 1;
    GENESYS_NO_UNROLL
    for (i64 i = scale < 0 ? -scale : scale; i > 0; --i) power *= 10;
    const double head = static_cast<double>(m.head);
    return {__builtin_bit_cast(u64, scale < 0 ? head / power : head * power), end, 0};
  }
  decimal_reader reader;
  const binary_part part = reader.read(m.digits);
  const rounded_number number = round_number(to, part.mantissa, part.exponent, part.more);
  return {number.bits, end, number.error};
}

/// The bits are those of the format. Without a number `end` is `text`. Error: ERANGE.
GENESYS_KERNEL_OUTLINE inline parsed_number parse_floating(const char* text, floating_format to) {
  const char* at = skip_spaces(text);
  const bool negative = read_sign(at);
  parsed_number number;
  if (begins_with(at, "inf")) {
    number = {to.infinity(), at + (begins_with(at, "infinity") ? 8 : 3), 0};
  } else if (begins_with(at, "nan")) {
    number = read_nan(at, to);
  } else if (at[0] == '0' && small_letter(at[1]) == 'x' &&
             (digit_value(at[2]) < 16 || (at[2] == '.' && digit_value(at[3]) < 16))) {
    number = read_hexadecimal(at + 2, to);
  } else {
    number = read_decimal(at, to);
    if (number.end == nullptr) return {0, text, 0};
  }
  if (negative) number.bits |= to.sign();
  return number;
}

}  // namespace genesys::detail::libc
