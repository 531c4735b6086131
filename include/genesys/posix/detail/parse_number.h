// SPDX-License-Identifier: Apache-2.0
// What strtol() and strtod() share: spaces, signs, digits. The C locale. Any thread, host or kernel.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::libc {

__extension__ typedef unsigned __int128 u128;

/// A parsed number: its bits, the first character that does not belong to it, and 0 or the number of an error.
struct parsed_number {
  u64 bits;
  const char* end;
  int error;
};

GENESYS_KERNEL const char* skip_spaces(const char* text) {
  GENESYS_NO_UNROLL
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) ++text;
  return text;
}

// Reads a sign, if there is one. Returns whether it is a minus.
GENESYS_KERNEL bool read_sign(const char*& at) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  return negative;
}

GENESYS_KERNEL bool is_decimal(char c) { return c >= '0' && c <= '9'; }

// A capital letter as a small one. It changes other characters, too, but makes no letter of them.
GENESYS_KERNEL char small_letter(char c) { return static_cast<char>(c | 0x20); }

// The value of a digit in a base of up to 36; 36 or more for other characters.
GENESYS_KERNEL unsigned digit_value(char c) {
  if (is_decimal(c)) return static_cast<unsigned>(c - '0');
  const char small = small_letter(c);
  return small >= 'a' && small <= 'z' ? static_cast<unsigned>(small - 'a') + 10 : 36;
}

}  // namespace genesys::detail::libc
