// SPDX-License-Identifier: Apache-2.0
// A service: the BLAKE3 hash (the BLAKE3 paper) of each of many pieces, or the chaining values of subtrees, from which
// blake3_digest_of() makes the hash of one large input.
//
// Each lane hashes a chunk of 1,024 bytes. Lanes of a warp hash the chunks of a piece side by side, and then make the
// parents, so a warp has 32 small pieces, or 32 chunks of a large one. docs/service-list.md has the limits.
#pragma once

#include "genesys/services/blake3_compress.h"

namespace genesys::services {

struct blake3 {
  static constexpr const char* name = "blake3";
  static constexpr u32 digest_bytes = 32, warps_max = 8;
  static constexpr u64 piece_bytes_max = u64{1} << 40;

  struct arguments {
    service_input from;      // cut into pieces; no byte is one empty piece
    u64 piece_bytes;         // from 1 to 2^40; the last piece may be shorter
    service_buffer digests;  // 32 bytes for each piece
    // 0: the pieces are inputs of their own. Otherwise they are subtrees of a larger input: the results are chaining
    // values, and piece_bytes is a power of two from 1,024.
    u64 subtrees = 0;
    u64 first_chunk =
        0;  // of subtrees: the number of the first chunk in the larger input; a multiple of a piece's chunks
  };
  static constexpr service_field fields[] = {{offsetof(arguments, from), service_field::input},
                                             {offsetof(arguments, digests), service_field::output}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(piece_bytes),
                                               GENESYS_SERVICE_MEMBER(digests), GENESYS_SERVICE_MEMBER(subtrees),
                                               GENESYS_SERVICE_MEMBER(first_chunk)};

  // The number of pieces. -EINVAL: the arguments are not as above, the digests do not fit, or a buffer is not aligned
  // to 8 bytes.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    if (!is_right(with)) return -EINVAL;
    const u32 warps = working_warps(warps_max);
    if (warp_rank() >= warps) return 0;
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    const u64 chunks = pieces_of(with.piece_bytes, detail::blake3_chunk_bytes);
    u32 lanes = 1;  // for each piece
    while (lanes < chunks && lanes < warp_lanes) lanes *= 2;
    const u32 at_once = warp_lanes / lanes;
    warp_memory& mine = scratch<memory>().warps[warp_rank()];
    u64 done = 0;
    for (u64 n = 0;; ++n) {
      const u64 first = (n * warps * here.blocks + here.block) * at_once;
      if (first >= pieces) break;
      for (u32 w = 0; w < warps; ++w) {
        const u64 of_warp = first + u64{w} * here.blocks * at_once;
        if (of_warp >= pieces) break;
        done += pieces - of_warp < at_once ? pieces - of_warp : at_once;
        if (w == warp_rank()) hash(mine, with, of_warp, pieces, lanes);
      }
    }
    return static_cast<long>(done);
  }

  // The same on the CPU. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_right(const arguments& with) {
    if (with.piece_bytes == 0 || with.piece_bytes > piece_bytes_max) return false;
    if (with.subtrees != 0) {
      const u64 chunks = with.piece_bytes / detail::blake3_chunk_bytes;
      if (chunks == 0 || (with.piece_bytes & (with.piece_bytes - 1)) != 0 || with.first_chunk % chunks != 0)
        return false;
    }
    return is_usable(with.from.data, with.from.bytes, 8) && is_usable(with.digests.data, 1, 8) &&
           fits(pieces_of(with.from.bytes, with.piece_bytes), digest_bytes, with.digests.bytes);
  }

 private:
  struct warp_memory {
    union {
      warp_tile tile;
      detail::blake3_value values[warp_lanes];
    };
    detail::blake3_stack stack;
  };
  struct memory {
    warp_memory warps[warps_max];
  };

  // By a warp: the pieces from `first` on, each by `lanes` lanes.
  GENESYS_KERNEL static void hash(warp_memory& memory, const arguments& with, u64 first, u64 pieces, u32 lanes) {
    const u64 mine = first + lane() / lanes;
    const u32 rank = lane() % lanes;
    const bool exists = mine < pieces;
    const u64 bytes = exists ? bytes_of_piece(with.from.bytes, with.piece_bytes, mine) : 0;
    const u64 chunks = exists ? pieces_of(bytes, detail::blake3_chunk_bytes) : 0;
    const u64 steps = pieces_of(
        pieces_of(bytes_of_piece(with.from.bytes, with.piece_bytes, first), detail::blake3_chunk_bytes), lanes);
    const u32 root = with.subtrees != 0 ? 0 : detail::blake3_root;
    if (lane() == 0) memory.stack.count = 0, memory.stack.parts = 0;
    GENESYS_NO_UNROLL
    for (u64 step = 0; step < steps; ++step) {
      // How many lanes of this piece have a chunk in this step.
      const u64 left = chunks > step * lanes ? chunks - step * lanes : 0;
      u32 nodes = static_cast<u32>(left < lanes ? left : lanes);
      detail::blake3_value value = hash_chunks(memory.tile, with, first, pieces, lanes, step * lanes, chunks == 1);
      sync_warp();  // the tile is free: its memory gets the values
      GENESYS_NO_UNROLL
      for (u32 width = 1; width < lanes; width *= 2) {
        memory.values[lane()] = value;
        sync_warp();
        const u32 parents = nodes / 2;
        if (rank < parents) {
          const u32 from = lane() - rank + 2 * rank;
          value = detail::blake3_parent_of(memory.values[from], memory.values[from + 1],
                                           nodes == 2 && chunks <= lanes ? root : 0);
        } else if (rank == parents && nodes % 2 != 0) {
          value = memory.values[lane() - rank + nodes - 1];
        }
        nodes = parents + nodes % 2;
        sync_warp();
      }
      if (steps > 1 && lane() == 0) {
        if (step + 1 < steps) {
          memory.stack.add(value);
        } else {
          value = memory.stack.end(value, root);
        }
      }
      if (step + 1 == steps && exists && rank == 0) store_digest(with.digests.data, mine, value.words);
      sync_warp();
    }
  }

  // The chaining value of this lane's chunk: number `at` of its piece, and its rank. (Anything, if there is none.)
  GENESYS_KERNEL static detail::blake3_value hash_chunks(warp_tile& tile, const arguments& with, u64 first, u64 pieces,
                                                         u32 lanes, u64 at, bool alone) {
    constexpr u32 chunk_bytes = detail::blake3_chunk_bytes;
    const auto chunk_of = [&](u32 row) -> input_row {
      const u64 piece = first + row / lanes;
      if (piece >= pieces) return {nullptr, 0};
      const u64 begins = (at + row % lanes) * chunk_bytes;
      const u64 all = bytes_of_piece(with.from.bytes, with.piece_bytes, piece);
      if (all <= begins) return {nullptr, 0};
      const u64 left = all - begins;
      return {static_cast<const u8*>(with.from.data) + piece * with.piece_bytes + begins,
              left < chunk_bytes ? left : chunk_bytes};
    };
    const u32 bytes = static_cast<u32>(chunk_of(lane()).bytes);
    const u32 blocks = bytes == 0 ? 1 : (bytes + 63) / 64;
    const u64 counter =
        with.subtrees == 0
            ? at + lane() % lanes
            : with.first_chunk + (first + lane() / lanes) * (with.piece_bytes / chunk_bytes) + at + lane() % lanes;
    const u32 end_flags = detail::blake3_chunk_end | (alone && with.subtrees == 0 ? detail::blake3_root : 0);
    detail::blake3_value value;
    GENESYS_UNROLL
    for (u32 i = 0; i < 8; ++i) value.words[i] = detail::blake3_initial(i);
    GENESYS_NO_UNROLL
    for (u32 begins = 0; begins < chunk_bytes; begins += warp_tile::row_bytes) {
      if (ballot(whole_warp, bytes > begins || begins == 0) == 0) break;
      load_tile(tile, [&](u32 row) -> input_row {
        const input_row chunk = chunk_of(row);
        if (chunk.bytes <= begins) return {nullptr, 0};
        return {chunk.from + begins, chunk.bytes - begins};
      });
      GENESYS_NO_UNROLL
      for (u32 half = 0; half < 2; ++half) {
        const u32 number = begins / 64 + half;
        if (number >= blocks) break;
        u32 block[16];
        GENESYS_UNROLL
        for (u32 i = 0; i < 4; ++i) {
          const u32x4 part = tile.at(lane(), half * 4 + i);
          GENESYS_UNROLL
          for (u32 k = 0; k < 4; ++k) block[4 * i + k] = part.w[k];
        }
        const u32 left = bytes - number * 64;
        detail::blake3_compress(
            value.words, block, counter, left < 64 ? left : 64,
            (number == 0 ? detail::blake3_chunk_start : 0) | (number + 1 == blocks ? end_flags : 0));
      }
    }
    return value;
  }
};

// The hash of an input from the chaining values of its subtrees: `count`, at least 2, in their order, each of
// `subtree_bytes` of the input; the last may have less. For the host.
void blake3_digest_of(const void* chaining_values, u64 count, void* digest);

}  // namespace genesys::services
