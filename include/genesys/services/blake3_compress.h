// SPDX-License-Identifier: Apache-2.0
// BLAKE3's compression function (the BLAKE3 paper, section 2.2) and the parents of its tree, for blake3.h and its twin
// on the CPU. Any lane, and any thread of the host.
#pragma once

#include <type_traits>

#include "genesys/services/support.h"

namespace genesys::services::detail {

constexpr u32 blake3_chunk_bytes = 1024;
constexpr u32 blake3_chunk_start = 1, blake3_chunk_end = 2, blake3_parent = 4, blake3_root = 8;  // flags

GENESYS_KERNEL u32 blake3_initial(u32 word) {
  constexpr u32 all[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  return all[word];
}
// Which word of the block the round takes as its word `i`.
GENESYS_KERNEL u32 blake3_schedule(u32 round, u32 i) {
  constexpr u8 all[7][16] = {
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
      {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1}, {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
      {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4}, {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
      {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13}};
  return all[round][i];
}

// T is u32, or a vector of them: the twin compresses several nodes at a time.
template <class T>
GENESYS_KERNEL void blake3_rotate(T& value, u32 by) {
  if constexpr (std::is_same_v<T, u32>) {
    value = rotate_right(value, by);
  } else {
    value = value >> by | value << (32 - by);
  }
}
template <class T>
GENESYS_KERNEL void blake3_mix(T& a, T& b, T& c, T& d, const T& x, const T& y) {
  a += b + x, d ^= a, blake3_rotate(d, 16);
  c += d, b ^= c, blake3_rotate(b, 12);
  a += b + y, d ^= a, blake3_rotate(d, 8);
  c += d, b ^= c, blake3_rotate(b, 7);
}
template <class T>
GENESYS_KERNEL void blake3_rounds(T (&v)[16], const T (&block)[16]) {
  GENESYS_UNROLL_ROUNDS
  for (u32 r = 0; r < 7; ++r) {
    GENESYS_UNROLL_ROUNDS
    for (u32 i = 0; i < 4; ++i) {
      blake3_mix(v[i], v[4 + i], v[8 + i], v[12 + i], block[blake3_schedule(r, 2 * i)],
                 block[blake3_schedule(r, 2 * i + 1)]);
    }
    GENESYS_UNROLL_ROUNDS
    for (u32 i = 0; i < 4; ++i) {
      blake3_mix(v[i], v[4 + (i + 1) % 4], v[8 + (i + 2) % 4], v[12 + (i + 3) % 4],
                 block[blake3_schedule(r, 8 + 2 * i)], block[blake3_schedule(r, 9 + 2 * i)]);
    }
  }
}

// Replaces the chaining value by that of the block after it.
GENESYS_KERNEL void blake3_compress(u32 (&value)[8], const u32 (&block)[16], u64 counter, u32 bytes, u32 flags) {
  u32 v[16];
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) v[i] = value[i];
  GENESYS_UNROLL
  for (u32 i = 0; i < 4; ++i) v[8 + i] = blake3_initial(i);
  v[12] = static_cast<u32>(counter), v[13] = static_cast<u32>(counter >> 32), v[14] = bytes, v[15] = flags;
  blake3_rounds(v, block);
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) value[i] = v[i] ^ v[8 + i];
}

struct blake3_value {
  u32 words[8];
};

// The chaining value of the parent of two nodes. `root`: blake3_root if the parent is the tree's root, or 0.
GENESYS_KERNEL blake3_value blake3_parent_of(const blake3_value& left, const blake3_value& right, u32 root) {
  blake3_value parent;
  u32 block[16];
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) {
    parent.words[i] = blake3_initial(i);
    block[i] = left.words[i];
    block[8 + i] = right.words[i];
  }
  blake3_compress(parent.words, block, 0, 64, blake3_parent | root);
  return parent;
}

// The subtrees whose parent is not known yet, and one more than fit a piece of 2^40 bytes in parts of 32 chunks.
struct blake3_stack {
  static constexpr u32 most = 27;
  blake3_value values[most];
  u32 count;
  u64 parts;  // that were added

  // A part of 32 chunks, behind which there is another one.
  GENESYS_KERNEL void add(blake3_value part) {
    for (u64 n = ++parts; n % 2 == 0; n /= 2) part = blake3_parent_of(values[--count], part, 0);
    values[count++] = part;
  }
  // The last part, of at most 32 chunks. There is one before it if `root` is given.
  GENESYS_KERNEL blake3_value end(blake3_value part, u32 root) {
    while (count != 0) {
      --count;
      part = blake3_parent_of(values[count], part, count == 0 ? root : 0);
    }
    return part;
  }
};

}  // namespace genesys::services::detail
