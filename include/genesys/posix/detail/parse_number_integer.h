// SPDX-License-Identifier: Apache-2.0
// The engine of strtol() and its kin, as glibc 2.36 reads numbers: 0x and 0 choose the base, 0b does not. Any thread,
// host or kernel.
#pragma once

#include <errno.h>

#include "genesys/posix/detail/parse_number.h"

namespace genesys::detail::libc {

/// `is_signed`: the result is an i64, else a u64. Errors: EINVAL for a wrong base, with `end` null; ERANGE.
GENESYS_KERNEL_OUTLINE inline parsed_number parse_integer(const char* text, int base, bool is_signed) {
  if (base < 0 || base == 1 || base > 36) return {0, nullptr, EINVAL};
  const char* at = skip_spaces(text);
  const bool negative = read_sign(at);
  if ((base == 0 || base == 16) && at[0] == '0' && small_letter(at[1]) == 'x' && digit_value(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;

  const u64 by = static_cast<u64>(base);
  const u64 limit = !is_signed ? ~u64{0} : (u64{1} << 63) - (negative ? 0 : 1);
  const char* const first = at;
  u64 value = 0;
  bool over = false;
  GENESYS_NO_UNROLL
  for (unsigned digit; (digit = digit_value(*at)) < by; ++at) {
    const u128 longer = static_cast<u128>(value) * by + digit;
    value = static_cast<u64>(longer);
    over |= longer >> 64 != 0;
  }
  if (at == first) return {0, text, 0};
  if (over || value > limit) return {limit, at, ERANGE};
  return {negative ? 0 - value : value, at, 0};
}

}  // namespace genesys::detail::libc
