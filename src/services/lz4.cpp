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
    u32 position = 0;
    while (position + lz4_last_start <= bytes_) {
      const u32 count = std::min(lz4_step, bytes_ - lz4_last_start - position + 1);
      u32 hashes[lz4_step], candidates[lz4_step];
      for (u32 i = 0; i < count; ++i) {
        hashes[i] = lz4_hash(word_at(from_ + position + i));
        candidates[i] = table[hashes[i]];
      }
      for (u32 i = 0; i < count; ++i) table[hashes[i]] = static_cast<u16>(position + i);
      for (u32 i = 0; i < count; ++i) {
        u32 seen = seen_at(position + i, candidates[i]);
        if (seen == 0) continue;
        if (i + 1 < count) {
          const u32 next = seen_at(position + i + 1, candidates[i + 1]);
          if (next > seen) {
            ++i;
            seen = next;
          }
        }
        const u32 at = position + i, distance = at - candidates[i];
        u32 length = seen, back = 0;
        if (seen == lz4_seen_max) {
          while (at + length < bytes_ - lz4_last_literals && from_[at + length] == from_[at + length - distance])
            ++length;
        }
        while (back < lz4_before_max && back < candidates[i] && at - back > literals_from_ &&
               from_[at - back - 1] == from_[candidates[i] - back - 1])
          ++back;
        if (!put({at - back - literals_from_, distance, length + back})) return 0;
        literals_from_ = at + length;
        i += length - 1;
      }
      position = std::max(position + lz4_step, literals_from_);
    }
    return put({bytes_ - literals_from_, 0, 0}) ? written_ : 0;
  }

 private:
  // How many bytes of a match are seen; 0: there is none.
  u32 seen_at(u32 at, u32 candidate) const {
    if (candidate >= at || at - candidate > lz4_distance_max || word_at(from_ + candidate) != word_at(from_ + at))
      return 0;
    u32 seen = lz4_match_min;
    while (seen < lz4_seen_max && at + seen < bytes_ - lz4_last_literals && from_[candidate + seen] == from_[at + seen])
      ++seen;
    return seen;
  }
  bool put(const lz4_sequence& what) {
    const u32 bytes = what.bytes(), literals_at = what.literals_at();
    if (bytes > capacity_ - written_) return false;
    u8* const to = to_ + written_;
    for (u32 i = 0; i < literals_at; ++i) to[i] = what.byte(i);
    if (what.literals != 0) std::memcpy(to + literals_at, from_ + literals_from_, what.literals);
    for (u32 i = literals_at + what.literals; i < bytes; ++i) to[i] = what.byte(i);
    written_ += bytes;
    return true;
  }

  const u8* from_;
  u8* to_;
  u32 bytes_;
  u64 capacity_;
  u32 literals_from_ = 0, written_ = 0;
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
