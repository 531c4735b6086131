// SPDX-License-Identifier: Apache-2.0
// The twin of services::blake3 on the CPU, and the hash of a large input from its subtrees. Debian 12 has no library
// for BLAKE3, so this is the same compression function, compiled for the host. Any thread, several at once.
#include "genesys/services/blake3.h"

#include <algorithm>
#include <vector>

namespace genesys::services {
namespace {

using detail::blake3_value;

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
  constexpr u64 part_bytes = u64{32} * detail::blake3_chunk_bytes;
  const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
  const u32 root = with.subtrees == 0 ? detail::blake3_root : 0;
  for (u64 i = 0; i < pieces; ++i) {
    const u8* const from = static_cast<const u8*>(with.from.data) + i * with.piece_bytes;
    const u64 bytes = bytes_of_piece(with.from.bytes, with.piece_bytes, i);
    const u64 chunks = pieces_of(bytes, detail::blake3_chunk_bytes), parts = pieces_of(bytes, part_bytes);
    const u64 first = with.subtrees == 0 ? 0 : with.first_chunk + i * (with.piece_bytes / detail::blake3_chunk_bytes);
    detail::blake3_stack stack;
    stack.count = 0, stack.parts = 0;
    blake3_value value{};
    for (u64 part = 0; part < parts; ++part) {
      blake3_value nodes[32];
      const u64 count = std::min<u64>(chunks - part * 32, 32);
      for (u64 k = 0; k < count; ++k) {
        const u64 chunk = part * 32 + k, at = chunk * detail::blake3_chunk_bytes;
        nodes[k] = of_chunk(from + at, std::min<u64>(bytes - at, detail::blake3_chunk_bytes), first + chunk,
                            chunks == 1 ? root : 0);
      }
      value = of_nodes(nodes, count, parts == 1 ? root : 0);
      if (part + 1 < parts) stack.add(value);
    }
    if (parts > 1) value = stack.end(value, root);
    store_digest(with.digests.data, i, value.words);
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
