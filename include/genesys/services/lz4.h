// SPDX-License-Identifier: Apache-2.0
// A service: LZ4 compression of each of many pieces, in LZ4's block format, which LZ4_decompress_safe() reads.
//
// A warp compresses a piece, and reads it once. It keeps the last 8 KiB in shared memory, so its matches are at most
// 7,168 bytes back, where the format allows 65,535: the output is somewhat larger than that of LZ4_compress_default().
#pragma once

#include "genesys/services/lz4_format.h"

namespace genesys::services {

namespace detail {

// What a warp keeps of its piece in shared memory.
struct lz4_memory {
  static constexpr u32 window_bytes = 8192, stage_bytes = 1024, line_bytes = 512;
  static constexpr u32 window_words = window_bytes / 4, words_twice = 8;
  // Byte i of the piece is byte i % 8192. The first words are there again behind the last one.
  alignas(16) u32 window[window_words + words_twice];
  alignas(16) u8 stage[stage_bytes];  // output that is not stored yet: byte i is byte i % 1024
  u16 table[lz4_table_size];          // a position whose 4 bytes have this hash
};

// One warp and its piece. All lanes make the same calls.
class lz4_warp {
 public:
  GENESYS_KERNEL lz4_warp(lz4_memory& memory, const u8* from, u32 bytes, u8* to, u64 capacity)
      : memory_(memory), from_(from), to_(to), bytes_(bytes), capacity_(capacity) {
    for (u32 i = lane(); i < lz4_table_size; i += warp_lanes) memory_.table[i] = 0;
    fetch();
  }

  // The number of bytes. 0: they do not fit; the sequences that do are stored.
  GENESYS_KERNEL u32 compress() {
    u32 position = 0;
    bool fits = true;
    GENESYS_NO_UNROLL
    while (position + lz4_last_start <= bytes_ && fits) {
      load_up_to(position + 2 * lz4_step);
      const u32 mine = look(position);
      u32 found = ballot(whole_warp, mine != 0);
      GENESYS_NO_UNROLL
      while (found != 0 && fits) {
        u32 first = lowest_bit(found);
        u32 match = shuffle(whole_warp, mine, first);
        const u32 next = shuffle(whole_warp, mine, (first + 1) % warp_lanes);
        if (first + 1 < lz4_step && lz4_match::seen(next) > lz4_match::seen(match)) {
          match = next;
          ++first;
        }
        const u32 at = position + first, distance = lz4_match::distance(match);
        const u32 length = lz4_match::seen(match) < lz4_seen_max ? lz4_match::seen(match) : length_of(at, distance);
        const u32 literals = at - literals_from_, before = lz4_match::before(match);
        const u32 back = before < literals ? before : literals;
        fits = put({literals - back, distance, length + back});
        literals_from_ = at + length;
        found = first + length < lz4_step ? found & ~0u << (first + length) : 0;
      }
      position = position + lz4_step > literals_from_ ? position + lz4_step : literals_from_;
    }
    load_up_to(bytes_ - literals_from_ < lz4_memory::window_bytes ? bytes_ : 0);
    fits = fits && put({bytes_ - literals_from_, 0, 0});
    store_rest();
    return fits ? written_ : 0;
  }

 private:
  static constexpr u32 window_bytes = lz4_memory::window_bytes, line_bytes = lz4_memory::line_bytes;

  // Words around a position: 4 bytes before it, and lz4_seen_max from it on.
  struct surroundings {
    static constexpr u32 count = 1 + lz4_seen_max / 4;
    u32 words[count];
  };
  GENESYS_KERNEL surroundings around(u32 position) const {
    static_assert(surroundings::count <= lz4_memory::words_twice);
    const u32* const from = &memory_.window[(position - 4) / 4 % lz4_memory::window_words];
    u32 aligned[surroundings::count + 1];
    GENESYS_UNROLL
    for (u32 i = 0; i <= surroundings::count; ++i) aligned[i] = from[i];
    surroundings made;
    GENESYS_UNROLL
    for (u32 i = 0; i < surroundings::count; ++i)
      made.words[i] = shifted_right(aligned[i], aligned[i + 1], position % 4 * 8);
    return made;
  }
  GENESYS_KERNEL u8 byte_at(u32 position) const {
    return static_cast<const u8*>(static_cast<const void*>(memory_.window))[position % window_bytes];
  }
  GENESYS_KERNEL bool is_in_window(u32 position) const {
    return position < loaded_ && position + window_bytes >= loaded_;
  }

  // The next line comes over the link while the warp works on this one.
  GENESYS_KERNEL void fetch() {
    const u32 at = loaded_ + lane() * 16;
    next_ = at < bytes_ ? load_16(from_ + at, bytes_ - at) : u32x4{{0, 0, 0, 0}};
  }
  GENESYS_KERNEL void load_up_to(u32 end) {
    GENESYS_NO_UNROLL
    while (loaded_ < end && loaded_ < bytes_) {
      sync_warp();  // all lanes have read what goes
      const u32 i = (loaded_ / 4 + lane() * 4) % lz4_memory::window_words;
      store_words(i, next_);
      if (i < lz4_memory::words_twice) store_words(lz4_memory::window_words + i, next_);
      loaded_ += line_bytes;
      fetch();
      sync_warp();
    }
  }
  GENESYS_KERNEL void store_words(u32 i, const u32x4& words) {
    *static_cast<u32x4*>(static_cast<void*>(&memory_.window[i])) = words;
  }

  // This lane's match in the step at `position` (lz4_match), and the step's positions go into the table.
  GENESYS_KERNEL u32 look(u32 position) {
    const u32 mine = position + lane();
    const bool may_begin = mine + lz4_last_start <= bytes_;
    const surroundings here = around(mine);
    const u32 hash = lz4_hash(here.words[1]);
    const u32 candidate = may_begin ? memory_.table[hash] : mine;
    sync_warp();  // all lanes have looked
    if (may_begin) memory_.table[hash] = static_cast<u16>(mine);
    const bool is_near = candidate < mine && mine - candidate <= lz4_distance_max;
    const surroundings there = around(is_near ? candidate : mine);
    sync_warp();
    // The last of the positions with the same hash stays, whatever the order in which lanes store.
    bool inserts = may_begin && memory_.table[hash] < mine;
    GENESYS_NO_UNROLL
    while (ballot(whole_warp, inserts) != 0) {
      if (inserts) memory_.table[hash] = static_cast<u16>(mine);
      sync_warp();
      inserts = inserts && memory_.table[hash] < mine;
      sync_warp();
    }
    if (!is_near || here.words[1] != there.words[1]) return 0;
    u32 same = lz4_seen_max;
    GENESYS_UNROLL
    for (u32 i = surroundings::count - 1; i >= 2; --i) {
      const u32 differ = here.words[i] ^ there.words[i];
      if (differ != 0) same = (i - 1) * 4 + lowest_bit(differ) / 8;
    }
    const u32 most = bytes_ - lz4_last_literals - mine, before = leading_zeros(here.words[0] ^ there.words[0]) / 8;
    return lz4_match::packed(same < most ? same : most, before < candidate ? before : candidate, mine - candidate);
  }

  // Of a match of at least lz4_seen_max bytes, if so many are left.
  GENESYS_KERNEL u32 length_of(u32 match, u32 distance) {
    const u32 end = bytes_ - lz4_last_literals;
    u32 length = lz4_seen_max;
    GENESYS_NO_UNROLL
    for (;;) {
      load_up_to(match + length + warp_lanes);
      const u32 mine = match + length + lane();
      const u32 differ = ballot(whole_warp, mine >= end || byte_at(mine) != byte_at(mine - distance));
      if (differ != 0) return length + lowest_bit(differ);
      length += warp_lanes;
    }
  }

  // The sequence's literals begin at literals_from_.
  GENESYS_KERNEL bool put(const lz4_sequence& what) {
    const u32 bytes = what.bytes();
    if (bytes > capacity_ - written_) return false;
    if (what.is_short() && bytes <= warp_lanes && is_in_window(literals_from_)) {
      if (lane() < bytes) {
        const u8 literal = byte_at(literals_from_ + lane() - 1);
        const u32 after = lane() - what.literals - 1;
        memory_.stage[(written_ + lane()) % lz4_memory::stage_bytes] =
            lane() == 0               ? what.token()
            : lane() <= what.literals ? literal
                                      : static_cast<u8>(what.distance >> after * 8);
      }
      written_ += bytes;
      store_line();
      return true;
    }
    put_long(what, bytes);
    return true;
  }
  GENESYS_KERNEL void put_long(const lz4_sequence& what, u32 bytes) {
    const u32 literals_at = what.literals_at();
    GENESYS_NO_UNROLL
    for (u32 done = 0; done < bytes;) {
      const u32 left = bytes - done, count = left < line_bytes ? left : line_bytes;
      GENESYS_NO_UNROLL
      for (u32 i = done + lane(); i < done + count; i += warp_lanes) {
        u8 byte;
        if (i >= literals_at && i - literals_at < what.literals) {
          const u32 position = literals_from_ + i - literals_at;
          byte = is_in_window(position) ? byte_at(position) : from_[position];
        } else {
          byte = what.byte(i);
        }
        memory_.stage[(written_ + i - done) % lz4_memory::stage_bytes] = byte;
      }
      done += count;
      written_ += count;
      store_line();
    }
  }
  GENESYS_KERNEL void store_line() {
    if (written_ - stored_ < line_bytes) return;
    sync_warp();
    const u32 at = stored_ + lane() * 16;
    *static_cast<u32x4*>(static_cast<void*>(to_ + at)) =
        *static_cast<const u32x4*>(static_cast<const void*>(&memory_.stage[at % lz4_memory::stage_bytes]));
    stored_ += line_bytes;
    sync_warp();  // the stage is free again
  }
  GENESYS_KERNEL void store_rest() {
    sync_warp();
    for (u32 i = stored_ + lane(); i < written_; i += warp_lanes) {
      to_[i] = memory_.stage[i % lz4_memory::stage_bytes];
    }
    sync_warp();
  }

  lz4_memory& memory_;
  const u8* from_;
  u8* to_;
  u32 bytes_, loaded_ = 0;  // of the piece; in the window, a multiple of a line
  u64 capacity_;
  u32 literals_from_ = 0;         // the piece up to here is in sequences
  u32 written_ = 0, stored_ = 0;  // of the output
  u32x4 next_;                    // this lane's 16 bytes of the line at loaded_
};

}  // namespace detail

struct lz4 {
  static constexpr const char* name = "lz4";
  static constexpr u32 warps_max = 3;
  static constexpr u64 piece_bytes_max = detail::lz4_piece_bytes_max;
  // A slot of so many bytes has space for whatever a piece of `bytes` becomes.
  GENESYS_KERNEL static constexpr u64 bound(u64 bytes) { return (bytes + bytes / 255 + 16 + 15) / 16 * 16; }

  struct arguments {
    service_input from;    // cut into pieces; no byte is one empty piece
    u64 piece_bytes;       // from 1 to 65,536; the last piece may be shorter
    service_buffer to;     // a slot for each piece, aligned to 16 bytes
    u64 slot_bytes;        // a multiple of 16
    service_buffer sizes;  // 4 bytes for each piece: its compressed size. 0: it does not fit its slot
  };
  static constexpr service_field fields[] = {{offsetof(arguments, from), service_field::input},
                                             {offsetof(arguments, to), service_field::output},
                                             {offsetof(arguments, sizes), service_field::output}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(piece_bytes),
                                               GENESYS_SERVICE_MEMBER(to), GENESYS_SERVICE_MEMBER(slot_bytes),
                                               GENESYS_SERVICE_MEMBER(sizes)};

  // The number of pieces. -EINVAL: the arguments are not as above, or something does not fit.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    if (!is_right(with)) return -EINVAL;
    const u32 warps = working_warps(warps_max);
    if (warp_rank() >= warps) return 0;
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    u64 done = 0;
    for (u64 first = here.block; first < pieces; first += u64{warps} * here.blocks) {
      for (u32 w = 0; w < warps; ++w) {
        const u64 piece = first + u64{w} * here.blocks;
        if (piece >= pieces) break;
        ++done;
        if (w == warp_rank()) compress(scratch<memory>().warps[w], with, piece);
      }
    }
    return static_cast<long>(done);
  }

  // The same bytes on the CPU. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_right(const arguments& with) {
    if (with.piece_bytes == 0 || with.piece_bytes > piece_bytes_max || with.slot_bytes == 0 ||
        with.slot_bytes % 16 != 0)
      return false;
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    return is_usable(with.from.data, with.from.bytes, 8) && is_usable(with.to.data, 1, 16) &&
           is_usable(with.sizes.data, 1, 4) && fits(pieces, with.slot_bytes, with.to.bytes) &&
           fits(pieces, sizeof(u32), with.sizes.bytes);
  }

 private:
  struct memory {
    detail::lz4_memory warps[warps_max];
  };
  GENESYS_KERNEL static void compress(detail::lz4_memory& memory, const arguments& with, u64 piece) {
    detail::lz4_warp warp(memory, static_cast<const u8*>(with.from.data) + piece * with.piece_bytes,
                          static_cast<u32>(bytes_of_piece(with.from.bytes, with.piece_bytes, piece)),
                          static_cast<u8*>(with.to.data) + piece * with.slot_bytes, with.slot_bytes);
    const u32 size = warp.compress();
    if (lane() == 0) static_cast<u32*>(with.sizes.data)[piece] = size;
  }
};

}  // namespace genesys::services
