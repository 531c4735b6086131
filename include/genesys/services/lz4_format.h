// SPDX-License-Identifier: Apache-2.0
// How lz4.h compresses, for the service and its twin: which matches it takes, and the bytes of a sequence (LZ4's
// lz4_Block_format.md). Any lane, and any thread of the host.
//
// The search goes through the piece in steps of 32 positions. All positions of a step are looked up in a table of
// earlier positions, by a hash of 4 bytes, before the table gets any of them. The first position with a match ends the
// step: the table gets the positions up to it, and the next step begins where the match ends. The match also takes
// up to 32 literals before it that are the same. This is defined without any order of lanes, so the twin's bytes are
// the same.
#pragma once

#include "genesys/services/support.h"

namespace genesys::services::detail {

constexpr u32 lz4_piece_bytes_max = 64u << 10;
constexpr u32 lz4_step = warp_lanes;
constexpr u32 lz4_table_log2 = 11, lz4_table_size = 1u << lz4_table_log2;
// Matches begin at most so far back. The warp keeps 8 KiB of the piece in shared memory.
constexpr u32 lz4_distance_max = 7600;
// A match begins at least so far before the end, and its end is at least so far before it (the format's last rules).
constexpr u32 lz4_last_start = 12, lz4_last_literals = 5;
constexpr u32 lz4_match_min = 4;
// What is compared before a match is chosen: so many bytes from it on, and so many before it.
constexpr u32 lz4_seen_max = 16, lz4_before_max = 4;

GENESYS_KERNEL u32 lz4_hash(u32 word) { return (word * 2654435761u) >> (32 - lz4_table_log2); }

// A match in a word: at which distance, how many bytes are seen to be the same from it on, and before it. 0: none.
struct lz4_match {
  GENESYS_KERNEL static u32 packed(u32 seen, u32 before, u32 distance) { return seen << 24 | before << 16 | distance; }
  GENESYS_KERNEL static u32 seen(u32 match) { return match >> 24; }
  GENESYS_KERNEL static u32 before(u32 match) { return match >> 16 & 255; }
  GENESYS_KERNEL static u32 distance(u32 match) { return match & 0xffff; }
};

// A run of literals, and the match behind it. The last sequence has none: its length is 0.
struct lz4_sequence {
  u32 literals, distance, length;

  // Bytes behind the token that say how much more than 14 literals, or than a match of 18, there is.
  GENESYS_KERNEL static u32 extra_bytes(u32 value) { return value < 15 ? 0 : (value - 15) / 255 + 1; }
  GENESYS_KERNEL static u8 extra_byte(u32 value, u32 number) {
    const u32 left = value - 15 - number * 255;
    return static_cast<u8>(left < 255 ? left : 255);
  }
  // Whether it has no such bytes; and a match.
  GENESYS_KERNEL bool is_short() const { return literals < 15 && length - lz4_match_min < 15; }
  GENESYS_KERNEL u8 token() const {
    const u32 more = length == 0 ? 0 : length - lz4_match_min;
    return static_cast<u8>((literals < 15 ? literals : 15) << 4 | (more < 15 ? more : 15));
  }
  GENESYS_KERNEL u32 literals_at() const { return 1 + extra_bytes(literals); }
  GENESYS_KERNEL u32 bytes() const {
    return literals_at() + literals + (length == 0 ? 0 : 2 + extra_bytes(length - lz4_match_min));
  }
  // Byte `at` of the sequence, if it is not one of the literals.
  GENESYS_KERNEL u8 byte(u32 at) const {
    if (at == 0) return token();
    if (at < literals_at()) return extra_byte(literals, at - 1);
    const u32 after = at - literals_at() - literals;
    if (after < 2) return static_cast<u8>(distance >> (8 * after));
    return extra_byte(length - lz4_match_min, after - 2);
  }
};

}  // namespace genesys::services::detail
