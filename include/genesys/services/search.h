// SPDX-License-Identifier: Apache-2.0
// A service: all occurrences of up to 4,096 literals in an input, counted, and the first ones of each piece listed.
//
// A warp has a piece, in lines of 512 bytes: each lane tests 16 positions against the filter of the set (search_set.h),
// which is in shared memory, and looks at the literals of a bucket only where the filter says so. Occurrences overlap,
// and belong to the piece in which they begin; they may end in the next one.
#pragma once

#include "genesys/services/search_set.h"

namespace genesys::services {

// An occurrence: literal number `literal` begins at byte `at` of the input.
struct search_hit {
  u64 at;
  u32 literal, bytes;
};

struct search {
  static constexpr const char* name = "search";
  static constexpr u32 warps_max = 8;

  struct arguments {
    service_input from;     // cut into pieces; no byte is one empty piece
    u64 piece_bytes;        // at least 1; the last piece may be shorter
    service_input set;      // of compile_search_set()
    service_buffer counts;  // 8 bytes for each piece: how many occurrences begin there
    service_buffer hits;    // hits_each search_hit for each piece: its first ones, by position and then by number
    u64 hits_each;          // may be 0, and the buffer null
  };
  static constexpr service_field fields[] = {{offsetof(arguments, from), service_field::input},
                                             {offsetof(arguments, set), service_field::input},
                                             {offsetof(arguments, counts), service_field::output},
                                             {offsetof(arguments, hits), service_field::output}};
  static constexpr service_member members[] = {GENESYS_SERVICE_MEMBER(from), GENESYS_SERVICE_MEMBER(piece_bytes),
                                               GENESYS_SERVICE_MEMBER(set),  GENESYS_SERVICE_MEMBER(counts),
                                               GENESYS_SERVICE_MEMBER(hits), GENESYS_SERVICE_MEMBER(hits_each)};

  // The number of occurrences in the whole input. -EINVAL: the set is none, or something does not fit.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    memory& all = scratch<memory>();
    // The caller may change its buffer meanwhile: one thread reads the header, so that all threads do the same.
    if (thread_rank() == 0) all.is_right = is_right(with, all.set);
    sync_block();
    if (!all.is_right) return -EINVAL;
    const detail::search_view set = all.set;
    const u64* const tables = static_cast<const u64*>(static_cast<const void*>(&set.tables()));
    for (u32 i = thread_rank(); i < sizeof(detail::search_tables) / 8; i += threads_in_block()) {
      const u64 word = tables[i];
      std::memcpy(reinterpret_cast<u8*>(&all.tables) + 8 * i, &word, 8);
    }
    const bool all_entries = set.literals <= entries_kept;
    for (u32 i = thread_rank(); all_entries && i < set.literals; i += threads_in_block()) {
      all.entries[i] = set.entries()[i];
    }
    sync_block();
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    const u32 warps = working_warps(warps_max), w = warp_rank();
    u64 found = 0;
    for (u64 piece = here.block + u64{w} * here.blocks; w < warps && piece < pieces;
         piece += u64{warps} * here.blocks) {
      found += search_piece(all.warps[w], all, all_entries ? all.entries : set.entries(), with, set, piece);
    }
    if (w < warps && lane() == 0) all.warps[w].found = found;
    sync_block();
    u64 sum = 0;
    for (u32 i = 0; i < warps; ++i) sum += all.warps[i].found;
    return static_cast<long>(sum);
  }

  // The same on the CPU. Any thread.
  long on_cpu(const arguments& with, unsigned blocks) const;

  GENESYS_KERNEL static bool is_right(const arguments& with, detail::search_view& set) {
    if (with.piece_bytes == 0 || !set.open(with.set)) return false;
    const u64 pieces = pieces_of(with.from.bytes, with.piece_bytes);
    return is_usable(with.from.data, with.from.bytes, 8) && is_usable(with.counts.data, 1, 8) &&
           fits(pieces, sizeof(u64), with.counts.bytes) &&
           (with.hits_each == 0 ||
            (is_usable(with.hits.data, 1, 8) && fits(pieces, sizeof(search_hit), with.hits.bytes / with.hits_each)));
  }

 private:
  static constexpr u32 line_bytes = warp_lanes * 16, entries_kept = 768;
  struct warp_memory {
    u32 lines[2][line_bytes / 4];  // this line and the next one; byte i of the piece is byte i % 1024
    u32 counts[warp_lanes];
    u64 found;
    u64 unused;
  };
  struct memory {
    alignas(16) detail::search_tables tables;
    detail::search_entry entries[entries_kept];
    warp_memory warps[warps_max];
    detail::search_view set;
    bool is_right;
  };

  // By a warp. How many occurrences begin in the piece.
  GENESYS_KERNEL static u64 search_piece(warp_memory& mine, const memory& all, const detail::search_entry* entries,
                                         const arguments& with, const detail::search_view& set, u64 piece) {
    const u64 begins = piece * with.piece_bytes;
    const u64 bytes = bytes_of_piece(with.from.bytes, with.piece_bytes, piece), left = with.from.bytes - begins;
    const u8* const from = static_cast<const u8*>(with.from.data) + begins;
    const auto line_at = [&](u64 at) {  // this lane's share
      at += lane() * 16;
      return at < left ? load_16(from + at, left - at) : u32x4{{0, 0, 0, 0}};
    };
    const auto keep = [&](u64 at, const u32x4& share) {
      *static_cast<u32x4*>(static_cast<void*>(&mine.lines[at / line_bytes % 2][lane() * 4])) = share;
    };
    u64 count = 0;
    u32x4 next = line_at(line_bytes);
    keep(0, line_at(0));
    GENESYS_NO_UNROLL
    for (u64 at = 0; at < bytes; at += line_bytes) {
      keep(at + line_bytes, next);
      next = line_at(at + 2 * line_bytes);  // comes over the link meanwhile
      sync_warp();
      const u32* const words = &mine.lines[0][0];
      const u32 first = static_cast<u32>(at / 4) + lane() * 4;
      u32 share[5];
      GENESYS_UNROLL
      for (u32 i = 0; i < 5; ++i) share[i] = words[(first + i) % (2 * line_bytes / 4)];
      u32 maybe = 0;  // the positions that the filter lets through
      GENESYS_UNROLL
      for (u32 i = 0; i < 16; ++i) {
        const u32 hash = detail::search_hash(window_of(share, i) & set.mask), bits = detail::search_bits_of(hash);
        if ((all.tables.filter[detail::search_word_of(hash)] & bits) == bits) maybe |= 1u << i;
      }
      const u64 here = at + lane() * 16;
      if (here + 16 > bytes) maybe &= here < bytes ? (1u << (bytes - here)) - 1 : 0;
      // Twice: to count, and to list.
      const auto each_hit = [&](const auto& found) {
        GENESYS_NO_UNROLL
        for (u32 rest = maybe; rest != 0; rest &= rest - 1) {
          const u32 i = lowest_bit(rest);
          const u64 position = here + i;
          const u8* const data = static_cast<const u8*>(static_cast<const void*>(words));
          u32 window = 0;
          for (u32 k = 0; k < 4; ++k) window |= u32{data[(position + k) % (2 * line_bytes)]} << (8 * k);
          detail::search_at(
              set, all.tables.index, entries, window & set.mask, left - position,
              [&](u32 k) { return data[(position + k) % (2 * line_bytes)]; },
              [&](u32 number, u32 length) { found(position, number, length); });
        }
      };
      u32 hits = 0;
      if (maybe != 0) each_hit([&](u64, u32, u32) { ++hits; });
      if (ballot(whole_warp, hits != 0) != 0) {
        mine.counts[lane()] = hits;
        sync_warp();
        u64 sum = 0, before = 0;
        for (u32 i = 0; i < warp_lanes; ++i) {
          before += i < lane() ? mine.counts[i] : 0;
          sum += mine.counts[i];
        }
        if (hits != 0 && with.hits_each > count + before) {
          search_hit* const to = static_cast<search_hit*>(with.hits.data) + piece * with.hits_each;
          u64 number_of_hit = count + before;
          each_hit([&](u64 position, u32 number, u32 length) {
            if (number_of_hit < with.hits_each) to[number_of_hit] = {begins + position, number, length};
            ++number_of_hit;
          });
        }
        count += sum;
      }
      sync_warp();  // the lines may be replaced
    }
    if (lane() == 0) static_cast<u64*>(with.counts.data)[piece] = count;
    return count;
  }

  // The four bytes from byte `i` of the lane's share on.
  GENESYS_KERNEL static u32 window_of(const u32 (&share)[5], u32 i) {
    return shifted_right(share[i / 4], share[i / 4 + 1], i % 4 * 8);
  }
};

}  // namespace genesys::services
