// SPDX-License-Identifier: Apache-2.0
// What is sorted: lines of a text, each ended by a newline. Functions that kernels and threads of the CPU call.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace line_sort {

using u8 = unsigned char;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using order = std::memory_order;

// A line. `key`: its first 8 bytes, the first one highest, with zeros behind its end; with --reverse the complement. So
// most lines are compared by their keys, without the text.
struct entry {
  u64 key;
  u64 begin;  // in the text
};

// A part of the text. Lines that begin in it are its lines. Before its first byte is the end of a line, or it has
// `is_first`.
struct piece {
  u64 begin;
  u32 bytes;
  u32 is_first;
};
constexpr u32 piece_bytes = 32 * 1024;

struct piece_lines {
  u32 lines;
  u32 complete;  // bytes up to the last newline, with it
};

// The text, in which order its lines are wanted, and whether equal lines are wanted once.
struct text {
  const u8* bytes;
  bool is_reverse, is_unique;
};

GENESYS_KERNEL u64 key_of(const text& of, u64 begin) {
  u64 key = 0;
  for (u32 i = 0; i < 8; ++i) {
    const u8 byte = of.bytes[begin + i];
    if (byte == '\n') break;
    key |= u64{byte} << (56 - 8 * i);
  }
  return of.is_reverse ? ~key : key;
}

// Below 0, 0, or above 0. As memcmp() compares: what another line begins with comes before it.
GENESYS_KERNEL int compare_lines(const text& of, u64 a, u64 b, u64 from) {
  if (a == b) return 0;
  for (u64 i = from;; ++i) {
    const u8 x = of.bytes[a + i], y = of.bytes[b + i];
    if (x == y) {
      if (x == '\n') return 0;
      continue;
    }
    if (x == '\n') return -1;
    if (y == '\n') return 1;
    return x < y ? -1 : 1;
  }
}

// Where the comparison of two lines of equal keys begins: a key with a zero may be that of a line of fewer bytes.
GENESYS_KERNEL u64 decided_by_key(const text& of, u64 key) {
  const u64 bytes = of.is_reverse ? ~key : key;
  return ((bytes - 0x0101010101010101) & ~bytes & 0x8080808080808080) == 0 ? 8 : 0;
}

GENESYS_KERNEL bool comes_before(const text& of, const entry& a, const entry& b) {
  if (a.key != b.key) return a.key < b.key;
  const int result = compare_lines(of, a.begin, b.begin, decided_by_key(of, a.key));
  return of.is_reverse ? result > 0 : result < 0;
}

GENESYS_KERNEL bool are_equal(const text& of, const entry& a, const entry& b) {
  return a.key == b.key && compare_lines(of, a.begin, b.begin, decided_by_key(of, a.key)) == 0;
}

GENESYS_KERNEL u64 length_of(const text& of, u64 begin) {
  u64 end = begin;
  while (of.bytes[end] != '\n') ++end;
  return end + 1 - begin;
}

// The bytes that entry `i` adds to the output.
GENESYS_KERNEL u64 output_bytes(const text& of, const entry* sorted, u64 i) {
  if (of.is_unique && i > 0 && are_equal(of, sorted[i - 1], sorted[i])) return 0;
  return length_of(of, sorted[i].begin);
}

// How many of the first `diagonal` entries of the merged a and b are of a (merge path: Green, McColl and Bader, 2012).
// Of equal ones those of a come first.
GENESYS_KERNEL u64 split(const text& of, const entry* a, u64 a_count, const entry* b, u64 b_count, u64 diagonal) {
  u64 low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const u64 middle = (low + high) / 2;
    if (comes_before(of, b[diagonal - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace line_sort
