// SPDX-License-Identifier: Apache-2.0
// The twin of services::blake3 on the CPU, and the hash of a large input from its subtrees. Debian 12 has no library
// for BLAKE3, so this is the same compression function, compiled for the host's vectors. Any thread, several at once.
#include "genesys/services/blake3.h"

#include <algorithm>
#include <vector>

#include "services/blake3_nodes.h"

namespace genesys::services {
namespace {

using detail::blake3_value;
constexpr u64 chunk_bytes = detail::blake3_chunk_bytes, part_chunks = 32;

// A chunk that is not whole.
blake3_value of_chunk(const u8* from, u64 bytes, u64 counter, u32 root) {
  blake3_value value;
  for (u32 i = 0; i < 8; ++i) value.words[i] = detail::blake3_initial(i);
  const u64 blocks = pieces_of(bytes, 64);
  for (u64 i = 0; i < blocks; ++i) {
    const u64 left = std::min<u64>(bytes - i * 64, 64);
    u32 block[16] = {};
    if (left != 0) std::memcpy(block, from + i * 64, left);
    detail::blake3_compress(
        value.words, block, counter, static_cast<u32>(left),
        (i == 0 ? detail::blake3_chunk_start : 0) | (i + 1 == blocks ? detail::blake3_chunk_end | root : 0));
  }
  return value;
}

// At most 32 chunks of an input, which are one subtree, and its value.
struct part {
  const u8* from;
  u64 bytes, first_chunk;
  u32 root;  // the flag, if the subtree is the tree
  blake3_value value;
  u64 nodes;  // of the level that is known
};

// Makes the values of several parts, together at most 32 chunks.
void make(part* parts, u64 count) {
  blake3_value levels[2][part_chunks];
  detail::blake3_node nodes[part_chunks];
  u64 first[part_chunks], all = 0, whole = 0;
  for (u64 i = 0; i < count; ++i) {
    part& of = parts[i];
    of.nodes = pieces_of(of.bytes, chunk_bytes);
    first[i] = all;
    const u32 root = of.nodes == 1 ? of.root : 0;
    for (u64 k = 0; k < of.nodes; ++k, ++all) {
      const u8* const from = of.from + k * chunk_bytes;
      const u64 bytes = std::min(of.bytes - k * chunk_bytes, chunk_bytes);
      if (bytes == chunk_bytes) {
        nodes[whole++] = {
            from, of.first_chunk + k, 0, detail::blake3_chunk_start, detail::blake3_chunk_end | root, &levels[0][all]};
      } else {
        levels[0][all] = of_chunk(from, bytes, of.first_chunk + k, root);
      }
    }
  }
  detail::blake3_make(nodes, whole, chunk_bytes / 64);
  // A level has the parents of two nodes each, and a node without a neighbour.
  for (u32 level = 0;; ++level) {
    u64 parents = 0;
    for (u64 i = 0; i < count; ++i) {
      part& of = parts[i];
      const blake3_value* const from = &levels[level % 2][first[i]];
      blake3_value* const to = &levels[(level + 1) % 2][first[i]];
      for (u64 k = 0; k + 1 < of.nodes; k += 2) {
        nodes[parents++] = {reinterpret_cast<const u8*>(from + k), 0,         detail::blake3_parent, 0,
                            of.nodes == 2 ? of.root : 0,           to + k / 2};
      }
      if (of.nodes % 2 != 0) to[of.nodes / 2] = from[of.nodes - 1];
      of.nodes = (of.nodes + 1) / 2;
    }
    detail::blake3_make(nodes, parents, 1);
    if (parents != 0) continue;
    for (u64 i = 0; i < count; ++i) parts[i].value = levels[level % 2][first[i]];
    return;
  }
}

// The value of `count` nodes in a row: the left part of a parent is the largest power of two below.
blake3_value of_nodes(const blake3_value* nodes, u64 count, u32 root) {
  if (count == 1) return nodes[0];
  u64 left = 1;
  while (left * 2 < count) left *= 2;
  return detail::blake3_parent_of(of_nodes(nodes, left, 0), of_nodes(nodes + left, count - left, 0), root);
}

}  // namespace

long blake3::on_cpu(const arguments& with, unsigned) const {
  if (!is_right(with)) return -EINVAL;
  const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes), chunks = pieces_of(with.piece_bytes, chunk_bytes);
  const u32 root = with.subtrees == 0 ? detail::blake3_root : 0;
  const u64 at_once = chunks >= part_chunks ? 1 : part_chunks / chunks;
  part parts[part_chunks];
  for (u64 first = 0; first < pieces; first += at_once) {
    const u64 count = std::min(at_once, pieces - first);
    for (u64 i = 0; i < count; ++i) {
      const u64 piece = first + i;
      parts[i] = {static_cast<const u8*>(with.from.data) + piece * with.piece_bytes,
                  bytes_of_piece(with.from.bytes, with.piece_bytes, piece),
                  with.subtrees == 0 ? 0 : with.first_chunk + piece * chunks,
                  root,
                  {},
                  0};
    }
    const part whole = parts[0];
    const u64 of_piece = pieces_of(whole.bytes, part_chunks * chunk_bytes);
    if (of_piece == 1) {
      make(parts, count);
    } else {
      detail::blake3_stack stack;
      stack.count = 0, stack.parts = 0;
      for (u64 k = 0; k < of_piece; ++k) {
        const u64 at = k * part_chunks * chunk_bytes;
        parts[0] = {whole.from + at,
                    std::min(whole.bytes - at, part_chunks * chunk_bytes),
                    whole.first_chunk + k * part_chunks,
                    0,
                    {},
                    0};
        make(parts, 1);
        if (k + 1 < of_piece) stack.add(parts[0].value);
      }
      parts[0].value = stack.end(parts[0].value, root);
    }
    for (u64 i = 0; i < count; ++i) store_digest(with.digests.data, first + i, parts[i].value.words);
  }
  return static_cast<long>(pieces);
}

void blake3_digest_of(const void* chaining_values, u64 count, void* digest) {
  std::vector<blake3_value> nodes(count);
  std::memcpy(nodes.data(), chaining_values, count * sizeof(blake3_value));
  const blake3_value value = of_nodes(nodes.data(), count, detail::blake3_root);
  std::memcpy(digest, value.words, sizeof value);
}

}  // namespace genesys::services
