// SPDX-License-Identifier: Apache-2.0
// Converts one line of numbers to one binary row. Called by one thread for its line.
#pragma once

#include <genesys/posix.h>

namespace row {

namespace posix = genesys::posix;

enum fault : unsigned { none, not_a_number, out_of_range, too_few, too_many, too_long };

// Types of columns, as in Python's struct: i and q are integers of 4 and 8 bytes, f and d floating-point numbers.
GENESYS_KERNEL unsigned bytes_of(char type) { return type == 'i' || type == 'f' ? 4 : 8; }
GENESYS_KERNEL unsigned bytes_of(const char* types) {
  unsigned bytes = 0;
  for (; *types != 0; ++types) bytes += bytes_of(*types);
  return bytes;
}

// Writes the number at `text` to `to`. `*end` is behind the number.
GENESYS_KERNEL fault convert(const char* text, char type, void* to, char** end) {
  errno = 0;
  if (type == 'i' || type == 'q') {
    const long wide = posix::strtol(text, end, 10);
    const int narrow = static_cast<int>(wide);
    if (errno == ERANGE || (type == 'i' && narrow != wide)) return out_of_range;
    posix::memcpy(to, type == 'i' ? static_cast<const void*>(&narrow) : &wide, bytes_of(type));
  } else {
    const double wide = posix::strtod(text, end);
    const float narrow = static_cast<float>(wide);
    if (type == 'f' ? narrow - narrow != 0 : wide - wide != 0) return out_of_range;  // infinite
    posix::memcpy(to, type == 'f' ? static_cast<const void*>(&narrow) : &wide, bytes_of(type));
  }
  return none;
}

// Converts the line at `at`, which ends with a line feed, CR LF, or at `end`. `is_last`: the file ends there. `at` is
// then where the fault is, if there is one. Nothing is written from `room` on.
GENESYS_KERNEL_OUTLINE inline fault convert_line(const char*& at, const char* end, bool is_last, const char* types,
                                                 char* to, const char* room) {
  for (;; ++types) {
    const bool is_quoted = *at == '"';
    const char* const number = at + is_quoted;
    const std::size_t length = posix::strspn(number, "0123456789+-.eE");
    char bytes[8];
    char* behind = nullptr;
    const fault wrong = length == 0 ? not_a_number : convert(number, *types, bytes, &behind);
    if (length == 0 || behind != number + length || (is_quoted && *behind != '"'))
      return !is_last && number + length == end ? too_long : not_a_number;
    if (wrong != none) return wrong;
    if (to + bytes_of(*types) <= room) posix::memcpy(to, bytes, bytes_of(*types));
    to += bytes_of(*types);
    const char* const next = behind + is_quoted;
    const char* const line_end = next + (*next == '\r');
    if (line_end == end && !is_last) return too_long;
    const bool has_ended = line_end == end || *line_end == '\n';
    if (!has_ended && *next != ',') return not_a_number;
    if (has_ended && types[1] == 0) return none;
    at = has_ended ? next : next + 1;
    if (has_ended) return too_few;
    if (types[1] == 0) return too_many;
  }
}

}  // namespace row
