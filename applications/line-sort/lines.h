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

// A line. `key`: its first 8 bytes, the first one highest, with zeros after its end; with --reverse the complement. So
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

// The text, in which order its lines are wanted, and whether equal lines are wanted once. It is read in words:
// `bytes` is a multiple of 8, and text_padding bytes after the last line can be read.
struct text {
  const u8* bytes;
  bool is_reverse, is_unique;
};
constexpr u64 text_padding = 16;

// The 8 bytes from `at` on, the first one lowest. GPUs load aligned words only.
GENESYS_KERNEL u64 word_at(const text& of, u64 at) {
  const u64* const words = reinterpret_cast<const u64*>(of.bytes) + at / 8;
  const u32 shift = static_cast<u32>(at % 8) * 8;
  return words[0] >> shift | words[1] << 1 << (63 - shift);
}

GENESYS_KERNEL bool has_zero(u64 word) { return ((word - 0x0101010101010101) & ~word & 0x8080808080808080) != 0; }
GENESYS_KERNEL bool has_newline(u64 word) { return has_zero(word ^ 0x0a0a0a0a0a0a0a0a); }

// Where the first newline is from `at` on.
GENESYS_KERNEL u64 find_newline(const text& of, u64 at) {
  while (!has_newline(word_at(of, at))) at += 8;
  for (u64 word = word_at(of, at); (word & 0xff) != '\n'; word >>= 8) ++at;
  return at;
}

// Where the line begins that has a byte before `at`, or `from` if it begins before that.
GENESYS_KERNEL u64 find_begin(const text& of, u64 from, u64 at) {
  while (at >= from + 8 && !has_newline(word_at(of, at - 8))) at -= 8;
  while (at > from && of.bytes[at - 1] != '\n') --at;
  return at;
}

GENESYS_KERNEL u64 key_of(const text& of, u64 begin) {
  u64 key = 0, word = word_at(of, begin);
  for (u32 i = 0; i < 8 && (word & 0xff) != '\n'; ++i, word >>= 8) key |= (word & 0xff) << (56 - 8 * i);
  return of.is_reverse ? ~key : key;
}

// Below 0, 0, or above 0. As memcmp() compares: what another line begins with comes before it. 0 if the first `limit`
// bytes are equal.
GENESYS_KERNEL int compare_lines(const text& of, u64 a, u64 b, u64 from, u64 limit = ~u64{0}) {
  if (a == b) return 0;
  for (u64 i = from; i < limit; i += 8) {
    u64 x = word_at(of, a + i), y = word_at(of, b + i);
    if (x == y && !has_newline(x)) continue;
    for (u64 k = i; k < i + 8 && k < limit; ++k, x >>= 8, y >>= 8) {
      const u32 of_a = x & 0xff, of_b = y & 0xff;
      if (of_a == of_b) {
        if (of_a == '\n') return 0;
        continue;
      }
      if (of_a == '\n') return -1;
      if (of_b == '\n') return 1;
      return of_a < of_b ? -1 : 1;
    }
  }
  return 0;
}

// Where the comparison of two lines of equal keys begins: a key with a zero may be that of a line of fewer bytes.
GENESYS_KERNEL u64 decided_by_key(const text& of, u64 key) { return has_zero(of.is_reverse ? ~key : key) ? 0 : 8; }

GENESYS_KERNEL bool comes_before(const text& of, const entry& a, const entry& b) {
  if (a.key != b.key) return a.key < b.key;
  const int result = compare_lines(of, a.begin, b.begin, decided_by_key(of, a.key));
  return of.is_reverse ? result > 0 : result < 0;
}

GENESYS_KERNEL bool are_equal(const text& of, const entry& a, const entry& b) {
  return a.key == b.key && compare_lines(of, a.begin, b.begin, decided_by_key(of, a.key)) == 0;
}

GENESYS_KERNEL u64 length_of(const text& of, u64 begin) { return find_newline(of, begin) + 1 - begin; }

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
