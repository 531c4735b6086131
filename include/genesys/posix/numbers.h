// SPDX-License-Identifier: Apache-2.0
// Numbers from text for kernels, as C has them in <stdlib.h> and <inttypes.h>. Each thread calls them for itself.
// Results, end pointers and errno are glibc's in the C locale; strtold() returns a double, since a GPU has no longer
// type.
#pragma once

#include <cstdint>

#include "genesys/posix/detail/errno.h"
#include "genesys/posix/detail/parse_number_floating.h"
#include "genesys/posix/detail/parse_number_integer.h"

namespace genesys::posix {

namespace number_detail {

// Stores the end and errno. `end` may be null.
GENESYS_KERNEL std::uint64_t take(const detail::libc::parsed_number& number, char** end) {
  if (end != nullptr) *end = const_cast<char*>(number.end);
  if (number.error != 0) detail::libc::set_errno(number.error);
  return number.bits;
}

// Only a wrong base leaves `*end` as it is. The compiler sees that a constant base does not.
GENESYS_KERNEL char** stored(char** end, int base) { return base < 0 || base == 1 || base > 36 ? nullptr : end; }

}  // namespace number_detail

// Integers. `base` is 2 to 36, or 0: then 0x begins base 16, 0 base 8, another digit base 10. errno: EINVAL for another
// base, ERANGE for a number that is too large, of which the nearest value is returned.

GENESYS_KERNEL long long strtoll(const char* text, char** end, int base) {
  return static_cast<long long>(
      number_detail::take(detail::libc::parse_integer(text, base, true), number_detail::stored(end, base)));
}
GENESYS_KERNEL unsigned long long strtoull(const char* text, char** end, int base) {
  return number_detail::take(detail::libc::parse_integer(text, base, false), number_detail::stored(end, base));
}
GENESYS_KERNEL long strtol(const char* text, char** end, int base) { return strtoll(text, end, base); }
GENESYS_KERNEL unsigned long strtoul(const char* text, char** end, int base) { return strtoull(text, end, base); }
GENESYS_KERNEL std::intmax_t strtoimax(const char* text, char** end, int base) { return strtoll(text, end, base); }
GENESYS_KERNEL std::uintmax_t strtoumax(const char* text, char** end, int base) { return strtoull(text, end, base); }

GENESYS_KERNEL long long atoll(const char* text) { return strtoll(text, nullptr, 10); }
GENESYS_KERNEL long atol(const char* text) { return strtol(text, nullptr, 10); }
GENESYS_KERNEL int atoi(const char* text) { return static_cast<int>(strtol(text, nullptr, 10)); }

// Floating-point numbers: decimal, hexadecimal (0x1.8p3), inf, nan, nan(...). They are correctly rounded. errno: ERANGE
// for a result that is infinite, or inexact and below the smallest normal number.

GENESYS_KERNEL double strtod(const char* text, char** end) {
  return __builtin_bit_cast(
      double, number_detail::take(detail::libc::parse_floating(text, detail::libc::double_format()), end));
}
GENESYS_KERNEL float strtof(const char* text, char** end) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(number_detail::take(
                                       detail::libc::parse_floating(text, detail::libc::float_format()), end)));
}
GENESYS_KERNEL double strtold(const char* text, char** end) { return strtod(text, end); }
GENESYS_KERNEL double atof(const char* text) { return strtod(text, nullptr); }

}  // namespace genesys::posix
