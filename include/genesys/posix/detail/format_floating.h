// SPDX-License-Identifier: Apache-2.0
// The conversions e E f F g G. Any thread, host or kernel.
#pragma once

#include "genesys/posix/detail/format_decimal.h"
#include "genesys/posix/detail/format_output.h"

namespace genesys::detail::libc {

// Writes `count` digits from digit `first` on; digit 0 is the first that is not 0.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_digits(output<Sink>& out, const decimal& number, int first, int count) {
  int index = number.digits() - 1 - first;
  GENESYS_NO_UNROLL
  while (count > 0) {
    char text[9];
    number.limb_text(index, text);
    const int here = index % 9 + 1, step = count < here ? count : here;
    out.write(text + 9 - here, static_cast<u64>(step));
    index -= here;
    count -= step;
  }
}

// "123.450": `precision` digits stand behind the point.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_fixed(output<Sink>& out, const conversion& c, const number_prefix& prefix,
                                      const decimal& number, int precision) {
  const int digits = number.digits(), whole = digits - number.decimals();  // digits before the point; may be negative
  const bool point = precision > 0 || c.has(flag_alternate);
  out.open_field(c, prefix, static_cast<u64>(whole > 0 ? whole : 1) + point + static_cast<u64>(precision), true);
  if (whole <= 0) out.fill('0', 1);
  if (whole > 0) put_digits(out, number, 0, whole < digits ? whole : digits);
  if (whole > digits) out.fill('0', static_cast<u64>(whole - digits));
  if (point) out.fill('.', 1);
  const int zeros = whole >= 0 ? 0 : -whole < precision ? -whole : precision;
  const int used = whole > 0 ? whole : 0;
  const int left = digits > used ? digits - used : 0, space = precision - zeros, shown = left < space ? left : space;
  out.fill('0', static_cast<u64>(zeros));
  put_digits(out, number, used, shown);
  out.fill('0', static_cast<u64>(space - shown));
  out.close_field();
}

// "1.2345e+02": `precision` digits stand behind the point.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_exponent(output<Sink>& out, const conversion& c, const number_prefix& prefix,
                                         const decimal& number, int precision) {
  const int exponent = number.exponent(), size = exponent < 0 ? -exponent : exponent;
  char text[5] = {static_cast<char>(c.letter == 'E' || c.letter == 'G' ? 'E' : 'e'), exponent < 0 ? '-' : '+',
                  static_cast<char>('0' + size / 100), static_cast<char>('0' + size / 10 % 10),
                  static_cast<char>('0' + size % 10)};
  u64 bytes = 5;
  if (size < 100) {
    text[2] = text[3];
    text[3] = text[4];
    bytes = 4;
  }
  const bool point = precision > 0 || c.has(flag_alternate);
  const int left = number.digits() - 1, shown = left < precision ? left : precision;
  out.open_field(c, prefix, 1 + point + static_cast<u64>(precision) + bytes, true);
  put_digits(out, number, 0, 1);
  if (point) out.fill('.', 1);
  put_digits(out, number, 1, shown);
  out.fill('0', static_cast<u64>(precision - shown));
  out.write(text, bytes);
  out.close_field();
}

// A finite number.
template <class Sink>
GENESYS_KERNEL_OUTLINE void put_finite(output<Sink>& out, const conversion& c, const number_prefix& prefix, u64 bits) {
  const binary_number from = binary_of(bits);
  const char style = static_cast<char>(c.letter | 0x20);  // as a small letter
  int precision = c.precision < 0 ? 6 : c.precision;
  decimal number;
  if (style == 'f') {
    number.set_fixed(from, precision);
    number.round(number.decimals() - precision);
    return put_fixed(out, c, prefix, number, precision);
  }
  if (style == 'g' && precision == 0) precision = 1;
  const int wanted = style == 'g' ? precision - 1 : precision;  // digits behind the first one
  number.set_significant(from, wanted < 17 ? wanted + 1 : 18);
  number.round(number.digits() - 1 - wanted);
  if (style == 'e') return put_exponent(out, c, prefix, number, wanted);
  const int exponent = number.exponent();
  int shown = wanted;
  if (!c.has(flag_alternate)) {
    const int used = number.is_zero() ? 0 : number.digits() - 1 - number.trailing_zeros();
    if (used < shown) shown = used;
  }
  if (exponent < -4 || exponent > wanted) return put_exponent(out, c, prefix, number, shown);
  const i64 decimals = i64{shown} - exponent;
  if (decimals > INT_MAX) return out.fail(EOVERFLOW);
  put_fixed(out, c, prefix, number, decimals > 0 ? static_cast<int>(decimals) : 0);
}

}  // namespace genesys::detail::libc
