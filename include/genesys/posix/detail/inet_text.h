// SPDX-License-Identifier: Apache-2.0
// Internet addresses as text, for posix/arpa_inet.h. One thread runs each function. An address is an array of bytes in
// network order: 4 or 16.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/target/target.h"
#include "genesys/posix/ctype.h"

namespace genesys::detail::libc {

// Reads exactly four decimal numbers without leading zeros. Returns 1, or 0 and writes nothing.
GENESYS_KERNEL_OUTLINE inline int read_ipv4(const char* text, std::size_t length, unsigned char* to) {
  unsigned numbers[4] = {0, 0, 0, 0};
  unsigned number = 0, digits = 0, value = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (posix::isdigit(text[i])) {
      if (digits++ > 0 && value == 0) return 0;
      value = value * 10 + static_cast<unsigned>(text[i] - '0');
      if (value > 255) return 0;
      continue;
    }
    if (text[i] != '.' || digits == 0 || number == 3) return 0;
    if (number == 0) numbers[0] = value;
    if (number == 1) numbers[1] = value;
    if (number == 2) numbers[2] = value;
    ++number, digits = 0, value = 0;
  }
  if (number != 3 || digits == 0) return 0;
  numbers[3] = value;
  for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<unsigned char>(numbers[i]);
  return 1;
}

GENESYS_KERNEL int hexadecimal_digit(char c) {
  if (posix::isdigit(c)) return c - '0';
  const int letter = c | 0x20;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Reads RFC 4291, section 2.2: groups of up to four hexadecimal digits, one `::` for groups of zeros, an IPv4 address
// in place of the last two groups. Returns 1, or 0 and writes nothing.
GENESYS_KERNEL_OUTLINE inline int read_ipv6(const char* text, unsigned char* to) {
  unsigned char made[16];
  constexpr unsigned nowhere = 17;
  unsigned count = 0, zeros = nowhere;  // bytes; `zeros`: where `::` stands
  const bool starts_with_zeros = text[0] == ':' && text[1] == ':';
  if (text[0] == ':' && !starts_with_zeros) return 0;
  if (starts_with_zeros) zeros = 0, text += 2;
  while (*text != 0) {
    const char* group = text;
    unsigned value = 0;
    for (int digit; (digit = hexadecimal_digit(*text)) >= 0; ++text) {
      if (text - group == 4) return 0;
      value = value << 4 | static_cast<unsigned>(digit);
    }
    if (*text == '.') {  // the group is the start of an IPv4 address
      std::size_t length = 0;
      while (group[length] != 0) ++length;
      if (count > 12 || read_ipv4(group, length, made + count) == 0) return 0;
      count += 4;
      break;
    }
    if (text == group || count == 16) return 0;
    made[count++] = static_cast<unsigned char>(value >> 8);
    made[count++] = static_cast<unsigned char>(value);
    if (*text == 0) break;
    if (*text++ != ':') return 0;
    if (*text == ':') {
      if (zeros != nowhere) return 0;
      zeros = count, ++text;
    } else if (*text == 0) {
      return 0;
    }
  }
  if (zeros == nowhere ? count != 16 : count == 16) return 0;
  const unsigned missing = 16 - count;
  for (unsigned i = 0; i < 16; ++i)
    to[i] = zeros == nowhere || i < zeros ? made[i]
            : i < zeros + missing         ? static_cast<unsigned char>(0)
                                          : made[i - missing];
  return 1;
}

// Reads one to four numbers; the last one fills the bytes that are left. `to` is in the order of the machine.
GENESYS_KERNEL_OUTLINE inline bool read_ipv4_numbers(const char* text, std::uint32_t& to) {
  std::uint32_t above = 0;
  for (unsigned number = 0;; ++number) {
    if (!posix::isdigit(*text)) return false;
    unsigned base = 10;
    if (*text == '0') {
      const bool is_hexadecimal = (text[1] | 0x20) == 'x' && hexadecimal_digit(text[2]) >= 0;
      base = is_hexadecimal ? 16 : 8;
      if (is_hexadecimal) text += 2;
    }
    std::uint64_t value = 0;
    for (int digit; (digit = hexadecimal_digit(*text)) >= 0 && digit < static_cast<int>(base); ++text) {
      value = value * base + static_cast<unsigned>(digit);
      if (value > 0xffff'ffffu) return false;
    }
    if (*text == '.') {
      if (number == 3 || value > 255) return false;
      above |= static_cast<std::uint32_t>(value) << (24 - 8 * number);
      ++text;
      continue;
    }
    if (*text != 0 && !posix::isspace(*text)) return false;
    if (value >> (32 - 8 * number) != 0) return false;
    to = above | static_cast<std::uint32_t>(value);
    return true;
  }
}

GENESYS_KERNEL_OUTLINE inline char* write_ipv4(char* to, const unsigned char* from) {
  for (unsigned i = 0; i < 4; ++i) {
    if (i > 0) *to++ = '.';
    if (from[i] >= 100) *to++ = static_cast<char>('0' + from[i] / 100);
    if (from[i] >= 10) *to++ = static_cast<char>('0' + from[i] / 10 % 10);
    *to++ = static_cast<char>('0' + from[i] % 10);
  }
  return to;
}

// The longest run of two zero groups or more becomes `::`, the first of several. Addresses that hold an IPv4 address
// end in it.
GENESYS_KERNEL_OUTLINE inline char* write_ipv6(char* to, const unsigned char* from) {
  const auto group = [from](unsigned i) { return static_cast<unsigned>(from[2 * i]) << 8 | from[2 * i + 1]; };
  unsigned first = 8, most = 1;
  for (unsigned i = 0; i < 8; ++i) {
    unsigned zeros = 0;
    while (i + zeros < 8 && group(i + zeros) == 0) ++zeros;
    if (zeros > most) first = i, most = zeros;
  }
  for (unsigned i = 0; i < 8; ++i) {
    if (i == first) {
      *to++ = ':';
      i += most - 1;
      if (i == 7) *to++ = ':';
      continue;
    }
    if (i > 0) *to++ = ':';
    if (i == 6 && first == 0 && (most == 6 || (most == 5 && group(5) == 0xffff))) return write_ipv4(to, from + 12);
    const unsigned value = group(i);
    for (int shift = value >= 0x1000 ? 12 : value >= 0x100 ? 8 : value >= 0x10 ? 4 : 0; shift >= 0; shift -= 4)
      *to++ = "0123456789abcdef"[value >> shift & 15];
  }
  return to;
}

}  // namespace genesys::detail::libc
