// SPDX-License-Identifier: Apache-2.0
// A service: the SHA-256 digest (FIPS 180-4, section 6.2) of each of many pieces, as deduplication needs them.
//
// Each lane hashes a piece, and a warp loads the pieces in tiles (support.h). Give a request at least 32 pieces for
// each of its warps: a lane alone is slower than a core. docs/service-list.md has the limits.
#pragma once

#include "genesys/services/support.h"

namespace genesys::services {

namespace detail {

GENESYS_KERNEL u32 sha256_constant(u32 round) {
  constexpr u32 all[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  return all[round];
}

// The hash computation of one block of 64 bytes: `w` are its words, most significant byte first.
GENESYS_KERNEL void sha256_block(u32 (&state)[8], u32 (&w)[16]) {
  u32 a = state[0], b = state[1], c = state[2], d = state[3];
  u32 e = state[4], f = state[5], g = state[6], h = state[7];
  GENESYS_UNROLL_ROUNDS
  for (u32 t = 0; t < 64; ++t) {
    if (t >= 16) {
      const u32 w2 = w[(t + 14) % 16], w15 = w[(t + 1) % 16];
      w[t % 16] += (rotate_right(w2, 17) ^ rotate_right(w2, 19) ^ w2 >> 10) + w[(t + 9) % 16] +
                   (rotate_right(w15, 7) ^ rotate_right(w15, 18) ^ w15 >> 3);
    }
    const u32 t1 = h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & f) ^ (~e & g)) +
                   sha256_constant(t) + w[t % 16];
    const u32 t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

GENESYS_KERNEL void sha256_begin(u32 (&state)[8]) {
  constexpr u32 first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  GENESYS_UNROLL
  for (u32 i = 0; i < 8; ++i) state[i] = first[i];
}

}  // namespace detail

struct sha256 {
  static constexpr const char* name = "sha256";
  static constexpr u32 digest_bytes = 32, warps_max = 8;

  struct arguments {
    service_input from;      // cut into pieces; no byte is one empty piece
    u64 piece_bytes;         // at least 1; the last piece may be shorter
    service_buffer digests;  // 32 bytes for each piece
  };
  static constexpr service_field fields[] = {{offsetof(arguments, from), service_field::input},
                                             {offsetof(arguments, digests), service_field::output}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(piece_bytes),
                                               GENESYS_SERVICE_MEMBER(digests)};

  // The number of pieces. -EINVAL: piece_bytes is 0, or the digests do not fit, or a buffer is not aligned to 8 bytes.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    if (!is_right(with)) return -EINVAL;
    const u32 warps = working_warps(warps_max);
    if (warp_rank() >= warps) return 0;
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    warp_tile& tile = scratch<memory>().tiles[warp_rank()];
    u64 done = 0;  // of the whole block
    for (u64 n = 0;; ++n) {
      // Blocks take parts in turn, so that a request with few pieces keeps all of its blocks busy.
      const u64 first = (n * warps * here.blocks + here.block) * warp_lanes;
      if (first >= pieces) break;
      for (u32 w = 0; w < warps; ++w) {
        const u64 of_warp = first + u64{w} * here.blocks * warp_lanes;
        if (of_warp >= pieces) break;
        done += pieces - of_warp < warp_lanes ? pieces - of_warp : warp_lanes;
        if (w == warp_rank()) hash_32(tile, with, of_warp, pieces);
      }
    }
    return static_cast<long>(done);
  }

  // The same by OpenSSL, if genesys::services has it. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_right(const arguments& with) {
    return with.piece_bytes != 0 && is_usable(with.from.data, with.from.bytes, 8) &&
           is_usable(with.digests.data, 1, 8) &&
           fits(pieces_of(with.from.bytes, with.piece_bytes), digest_bytes, with.digests.bytes);
  }

 private:
  struct memory {
    warp_tile tiles[warps_max];
  };

  // By a warp: the pieces from `first` on, one for each lane.
  GENESYS_KERNEL static void hash_32(warp_tile& tile, const arguments& with, u64 first, u64 pieces) {
    const u8* const from = static_cast<const u8*>(with.from.data);
    const u64 mine = first + lane();
    const u64 bytes = mine < pieces ? bytes_of_piece(with.from.bytes, with.piece_bytes, mine) : 0;
    // With the bit after the message, and its length.
    const u64 blocks = mine < pieces ? (bytes + 8) / 64 + 1 : 0;
    const u64 blocks_max = (bytes_of_piece(with.from.bytes, with.piece_bytes, first) + 8) / 64 + 1;
    u32 state[8];
    detail::sha256_begin(state);
    GENESYS_NO_UNROLL
    for (u64 at = 0; at < blocks_max * 64; at += warp_tile::row_bytes) {
      load_tile(tile, [&](u32 row) -> input_row {
        const u64 piece = first + row;
        if (piece >= pieces) return {nullptr, 0};
        const u64 all = bytes_of_piece(with.from.bytes, with.piece_bytes, piece);
        if (all <= at) return {nullptr, 0};
        return {from + piece * with.piece_bytes + at, all - at};
      });
      if (bytes >= at && bytes - at < warp_tile::row_bytes) tile.byte(lane(), static_cast<u32>(bytes - at)) = 0x80;
      GENESYS_NO_UNROLL
      for (u32 half = 0; half < 2; ++half) {
        const u64 block = at / 64 + half;
        if (block >= blocks) break;
        u32 w[16];
        GENESYS_UNROLL
        for (u32 i = 0; i < 4; ++i) {
          const u32x4 part = tile.at(lane(), half * 4 + i);
          GENESYS_UNROLL
          for (u32 k = 0; k < 4; ++k) w[4 * i + k] = reversed_bytes(part.w[k]);
        }
        if (block + 1 == blocks) {
          w[14] = static_cast<u32>(bytes >> 29);
          w[15] = static_cast<u32>(bytes << 3);
        }
        detail::sha256_block(state, w);
      }
    }
    if (mine >= pieces) return;
    GENESYS_UNROLL
    for (u32 i = 0; i < 8; ++i) state[i] = reversed_bytes(state[i]);
    store_digest(with.digests.data, mine, state);
  }
};

}  // namespace genesys::services
