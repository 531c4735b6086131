// SPDX-License-Identifier: Apache-2.0
// The twin of services::lz4 on the CPU: the same search, one position after the other, and so the same bytes. Any
// thread, several at once.
#include "genesys/services/lz4.h"

#include <algorithm>
#include <memory>

namespace genesys::services {
namespace {

using namespace detail;

u32 word_at(const u8* at) {
  u32 word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

class piece {
 public:
  piece(const u8* from, u32 bytes, u8* to, u64 capacity) : from_(from), to_(to), bytes_(bytes), capacity_(capacity) {}

  u32 compress(u16 (&table)[lz4_table_size]) {
    std::fill(std::begin(table), std::end(table), u16{0});
    u32 position = 0, literals_from = 0;
    while (position + lz4_last_start <= bytes_) {
      const u32 count = std::min(lz4_step, bytes_ - lz4_last_start - position + 1);
      u32 hashes[lz4_step], looked = 0, candidate = 0;
      bool found = false;
      while (looked < count && !found) {
        const u32 mine = position + looked, word = word_at(from_ + mine);
        hashes[looked++] = lz4_hash(word);
        candidate = table[hashes[looked - 1]];
        found = candidate < mine && mine - candidate <= lz4_distance_max && word_at(from_ + candidate) == word;
      }
      for (u32 i = 0; i < looked; ++i) table[hashes[i]] = static_cast<u16>(position + i);
      if (!found) {
        position += lz4_step;
        continue;
      }
      u32 match = position + looked - 1, length = lz4_match_min;
      const u32 distance = match - candidate;
      while (match + length < bytes_ - lz4_last_literals && from_[match + length] == from_[match + length - distance])
        ++length;
      for (u32 back = 0; back < lz4_step && match > literals_from && match > distance; ++back) {
        if (from_[match - 1] != from_[match - 1 - distance]) break;
        --match;
        ++length;
      }
      if (!put({match - literals_from, distance, length}, literals_from)) return 0;
      position = literals_from = match + length;
    }
    return put({bytes_ - literals_from, 0, 0}, literals_from) ? written_ : 0;
  }

 private:
  bool put(const lz4_sequence& what, u32 literals_from) {
    const u32 bytes = what.bytes(), literals_at = what.literals_at();
    if (bytes > capacity_ - written_) return false;
    u8* const to = to_ + written_;
    for (u32 i = 0; i < literals_at; ++i) to[i] = what.byte(i);
    if (what.literals != 0) std::memcpy(to + literals_at, from_ + literals_from, what.literals);
    for (u32 i = literals_at + what.literals; i < bytes; ++i) to[i] = what.byte(i);
    written_ += bytes;
    return true;
  }

  const u8* from_;
  u8* to_;
  u32 bytes_;
  u64 capacity_;
  u32 written_ = 0;
};

}  // namespace

long lz4::on_cpu(const arguments& with, unsigned) const {
  if (!is_right(with)) return -EINVAL;
  const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
  u16 table[lz4_table_size];
  for (u64 i = 0; i < pieces; ++i) {
    piece one(static_cast<const u8*>(with.from.data) + i * with.piece_bytes,
              static_cast<u32>(bytes_of_piece(with.from.bytes, with.piece_bytes, i)),
              static_cast<u8*>(with.to.data) + i * with.slot_bytes, with.slot_bytes);
    static_cast<u32*>(with.sizes.data)[i] = one.compress(table);
  }
  return static_cast<long>(pieces);
}

}  // namespace genesys::services
