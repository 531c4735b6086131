// SPDX-License-Identifier: Apache-2.0
// One conversion specification of a format string, as printf(3) and glibc read it: "%[position$][flags][width]
// [.precision][length]letter". Any thread, host or kernel.
#pragma once

#include <errno.h>

#include <climits>

#include "genesys/posix/detail/format_argument.h"

namespace genesys::detail::libc {

enum conversion_flag : unsigned char {
  flag_left = 1,
  flag_plus = 2,
  flag_space = 4,
  flag_alternate = 8,
  flag_zero = 16,
  flag_group = 32,   // ': the C locale has no groups
  flag_digits = 64,  // I: the C locale has one kind of digits
};

enum class length : unsigned char { none, hh, h, l, ll };  // j, z, t are l; L, q are ll

struct conversion {
  u32 width = 0;
  int precision = -1;     // -1: none is given
  unsigned position = 0;  // of the argument, from 1; 0: the next one
  unsigned char flags = 0;
  length size = length::none;
  char letter = 0;

  GENESYS_KERNEL bool has(conversion_flag flag) const { return (flags & flag) != 0; }
};

// What stands before the digits of a number: a sign, "0x".
struct number_prefix {
  char text[3];
  unsigned char count = 0;
  GENESYS_KERNEL void add(char c) { text[count++] = c; }
};

// The sign of a signed conversion.
GENESYS_KERNEL void add_sign(number_prefix& prefix, const conversion& c, bool negative) {
  if (negative)
    prefix.add('-');
  else if (c.has(flag_plus))
    prefix.add('+');
  else if (c.has(flag_space))
    prefix.add(' ');
}

// Reads a decimal number. It is INT_MAX + 1 if it is larger than INT_MAX.
GENESYS_KERNEL_OUTLINE inline u32 read_count(const char*& at) {
  u32 value = 0;
  GENESYS_NO_UNROLL
  while (*at >= '0' && *at <= '9') {
    const u32 digit = static_cast<u32>(*at++ - '0');
    value = value > (INT_MAX - digit) / 10 ? INT_MAX + 1u : value * 10 + digit;
  }
  return value;
}

class conversion_reader {
 public:
  // `at`: behind the '%'.
  GENESYS_KERNEL conversion_reader(const char* at, argument_cursor& arguments) : at_(at), arguments_(arguments) {}

  // 0 or the number of an error.
  GENESYS_KERNEL int read(conversion& c) {
    c.position = read_position();
    GENESYS_NO_UNROLL
    while (const unsigned char flag = flag_of(*at_)) {
      c.flags |= flag;
      ++at_;
    }
    int error = read_width(c);
    if (error == 0 && *at_ == '.') {
      ++at_;
      error = read_precision(c);
    }
    if (error != 0) return error;
    read_length(c);
    c.letter = *at_;
    if (c.letter == 0) return EINVAL;
    ++at_;
    return 0;
  }

  GENESYS_KERNEL const char* at() const { return at_; }

 private:
  // "n$". Returns 0, and reads nothing, if there is no such text.
  GENESYS_KERNEL_OUTLINE unsigned read_position() {
    const char* at = at_;
    const u32 position = read_count(at);
    if (position == 0 || *at != '$') return 0;
    at_ = at + 1;
    return position;
  }

  GENESYS_KERNEL static unsigned char flag_of(char c) {
    switch (c) {
      case '-':
        return flag_left;
      case '+':
        return flag_plus;
      case ' ':
        return flag_space;
      case '#':
        return flag_alternate;
      case '0':
        return flag_zero;
      case '\'':
        return flag_group;
      case 'I':
        return flag_digits;
      default:
        return 0;
    }
  }

  // The argument of a '*'. Returns false if it is missing or no integer.
  GENESYS_KERNEL_OUTLINE bool read_asterisk(int& value) {
    ++at_;
    const argument* const given = arguments_.take(read_position());
    if (given == nullptr || given->kind != argument_kind::integer) return false;
    value = static_cast<int>(given->bits);
    return true;
  }

  GENESYS_KERNEL int read_width(conversion& c) {
    if (*at_ != '*') {
      c.width = read_count(at_);
      return c.width > INT_MAX ? EOVERFLOW : 0;
    }
    int value = 0;
    if (!read_asterisk(value)) return EINVAL;
    if (value < 0) c.flags |= flag_left;
    if (value == INT_MIN) return EOVERFLOW;
    c.width = static_cast<u32>(value < 0 ? -value : value);
    return 0;
  }

  GENESYS_KERNEL int read_precision(conversion& c) {
    if (*at_ == '*') {
      if (!read_asterisk(c.precision)) return EINVAL;
      if (c.precision < 0) c.precision = -1;
      return 0;
    }
    const u32 value = read_count(at_);
    if (value > INT_MAX) return EOVERFLOW;
    c.precision = static_cast<int>(value);
    return 0;
  }

  GENESYS_KERNEL void read_length(conversion& c) {
    const char first = *at_;
    if (first == 'h' || first == 'l') {
      const bool twice = *++at_ == first;
      if (twice) ++at_;
      c.size = first == 'h' ? (twice ? length::hh : length::h) : (twice ? length::ll : length::l);
    } else if (first == 'L' || first == 'q') {
      c.size = length::ll;
      ++at_;
    } else if (first == 'j' || first == 'z' || first == 'Z' || first == 't') {
      c.size = length::l;
      ++at_;
    }
  }

  const char* at_;
  argument_cursor& arguments_;
};

}  // namespace genesys::detail::libc
