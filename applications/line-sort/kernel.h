// SPDX-License-Identifier: Apache-2.0
// line-sort's kernels that compute: they find the lines of the text and sort them, by merges.
#pragma once

#include "genesys/os.h"
#include "lines.h"
#include "runs.h"

namespace line_sort {

constexpr u32 threads_max = 256, entries_of_thread = 8;
constexpr u32 tile_max = threads_max * entries_of_thread;

GENESYS_KERNEL u64 smaller(u64 a, u64 b) { return a < b ? a : b; }

// The block's shared memory. Between stores of one thread and loads of others is a barrier.
struct piece_space {
  alignas(16) u8 data[piece_bytes];
  u32 of_thread[threads_max + 1];
};
struct tile_space {
  entry tile[tile_max];
  u64 cut[2];
};

struct count_pieces {
  GENESYS_KERNEL void operator()(genesys::os, const u8* text, const piece* pieces, u32 count, piece_lines* into) const {
    using genesys::atomic;
    using genesys::thread_scope;
    piece_lines& found = genesys::shared<piece_lines>();
    for (u32 p = genesys::block_rank(); p < count; p += genesys::blocks_in_grid()) {
      const piece one = pieces[p];
      if (genesys::thread_rank() == 0) found = {0, 0};
      genesys::sync_block();
      u32 lines = 0, complete = 0;
      for (u32 i = genesys::thread_rank(); i < one.bytes; i += genesys::threads_in_block()) {
        lines += i == 0 ? one.is_first || text[one.begin - 1] == '\n' : text[one.begin + i - 1] == '\n';
        if (text[one.begin + i] == '\n') complete = i + 1;
      }
      atomic<u32, thread_scope::block>(found.lines).fetch_add(lines, order::relaxed);
      atomic<u32, thread_scope::block>(found.complete).fetch_max(complete, order::relaxed);
      genesys::sync_block();
      if (genesys::thread_rank() == 0) into[p] = found;
    }
  }
};

// first[i]: the number of the first line of piece i. Each thread has a slice of the piece.
struct note_lines {
  GENESYS_KERNEL void operator()(genesys::os, text of, const piece* pieces, const u64* first, u32 count,
                                 entry* into) const {
    piece_space& space = genesys::shared<piece_space>();
    const u32 me = genesys::thread_rank(), threads = genesys::threads_in_block();
    const u32 slice = ((piece_bytes / 4 + threads - 1) / threads | 1) * 4;  // odd in words: no conflicts between banks
    for (u32 p = genesys::block_rank(); p < count; p += genesys::blocks_in_grid()) {
      const piece one = pieces[p];
      for (u32 i = me; i < one.bytes; i += threads) space.data[i] = of.bytes[one.begin + i];
      genesys::sync_block();
      const auto begins = [&](u32 i) {
        return i == 0 ? one.is_first || of.bytes[one.begin - 1] == '\n' : space.data[i - 1] == '\n';
      };
      const u32 from = static_cast<u32>(smaller(u64{me} * slice, one.bytes));
      const u32 end = static_cast<u32>(smaller(u64{from} + slice, one.bytes));
      u32 lines = 0;
      for (u32 i = from; i < end; ++i) lines += begins(i);
      space.of_thread[me + 1] = lines;
      genesys::sync_block();
      if (me == 0) {
        space.of_thread[0] = 0;
        for (u32 i = 1; i <= threads; ++i) space.of_thread[i] += space.of_thread[i - 1];
      }
      genesys::sync_block();
      entry* to = into + first[p] + space.of_thread[me];
      for (u32 i = from; i < end; ++i)
        if (begins(i)) *to++ = {key_of(of, one.begin + i), one.begin + i};
      genesys::sync_block();
    }
  }
};

// `count` entries of the merged a and b, from the entry `from` on.
GENESYS_KERNEL void merge_some(const text& of, const entry* a, u64 a_count, const entry* b, u64 b_count, u64 from,
                               u32 count, entry* into) {
  u64 i = split(of, a, a_count, b, b_count, from), j = from - i;
  for (u32 k = 0; k < count; ++k) {
    const bool is_b = i == a_count || (j < b_count && comes_before(of, b[j], a[i]));
    into[k] = is_b ? b[j++] : a[i++];
  }
}

GENESYS_KERNEL u32 tile_entries() { return genesys::threads_in_block() * entries_of_thread; }

// Sorts each tile, the entries that a block holds at a time.
struct sort_tiles {
  GENESYS_KERNEL void operator()(genesys::os, text of, entry* all, u64 count) const {
    entry* const tile = genesys::shared<tile_space>().tile;
    const u32 me = genesys::thread_rank(), threads = genesys::threads_in_block(), size = tile_entries();
    for (u64 begin = u64{genesys::block_rank()} * size; begin < count; begin += u64{genesys::blocks_in_grid()} * size) {
      const u32 n = static_cast<u32>(smaller(size, count - begin));
      for (u32 i = me; i < n; i += threads) tile[i] = all[begin + i];
      genesys::sync_block();
      const u32 first = static_cast<u32>(smaller(me * entries_of_thread, n));
      const u32 own = static_cast<u32>(smaller(entries_of_thread, n - first));
      entry mine[entries_of_thread];
      for (u32 k = 0; k < own; ++k) {
        const entry next = tile[first + k];
        u32 at = k;
        for (; at > 0 && comes_before(of, next, mine[at - 1]); --at) mine[at] = mine[at - 1];
        mine[at] = next;
      }
      for (u32 width = entries_of_thread;; width *= 2) {
        genesys::sync_block();
        for (u32 k = 0; k < own; ++k) tile[first + k] = mine[k];
        genesys::sync_block();
        if (width >= n) break;
        if (own == 0) continue;
        const u32 pair = first / (2 * width) * (2 * width);
        const u64 a = smaller(width, n - pair), b = smaller(width, n - pair - a);
        merge_some(of, tile + pair, a, tile + pair + a, b, first - pair, own, mine);
      }
      for (u32 i = me; i < n; i += threads) all[begin + i] = tile[i];
      genesys::sync_block();
    }
  }
};

// Merges each two neighbours of `width` sorted entries. A block merges a tile of the result.
struct merge_pairs {
  GENESYS_KERNEL void operator()(genesys::os, text of, const entry* from, entry* to, u64 count, u64 width) const {
    tile_space& space = genesys::shared<tile_space>();
    const u32 me = genesys::thread_rank(), threads = genesys::threads_in_block(), size = tile_entries();
    for (u64 begin = u64{genesys::block_rank()} * size; begin < count; begin += u64{genesys::blocks_in_grid()} * size) {
      const u32 n = static_cast<u32>(smaller(size, count - begin));
      const u64 pair = begin / (2 * width) * (2 * width);
      const u64 a_count = smaller(width, count - pair), b_count = smaller(width, count - pair - a_count);
      const entry *const a = from + pair, *const b = a + a_count;
      const u64 diagonal = begin - pair;
      if (me == 0) space.cut[0] = split(of, a, a_count, b, b_count, diagonal);
      if (me == threads - 1) space.cut[1] = split(of, a, a_count, b, b_count, diagonal + n);
      genesys::sync_block();
      const u64 a_begin = space.cut[0], b_begin = diagonal - a_begin;
      const u32 of_a = static_cast<u32>(space.cut[1] - a_begin);
      for (u32 i = me; i < n; i += threads) space.tile[i] = i < of_a ? a[a_begin + i] : b[b_begin + i - of_a];
      genesys::sync_block();
      const u32 first = static_cast<u32>(smaller(me * entries_of_thread, n));
      const u32 own = static_cast<u32>(smaller(entries_of_thread, n - first));
      if (own > 0) merge_some(of, space.tile, of_a, space.tile + of_a, n - of_a, first, own, to + begin + first);
      genesys::sync_block();
    }
  }
};

// One block, a thread for each part.
struct take_parts {
  GENESYS_KERNEL void operator()(genesys::os, text of, run_part* parts, u32 count) const {
    u32& bound = genesys::shared<u32>();
    const u32 me = genesys::thread_rank(), threads = genesys::threads_in_block();
    for (u32 i = me; i < count; i += threads) find_lines(of, parts[i]);
    genesys::sync_block();
    if (me == 0) bound = find_bound(of, parts, count);
    genesys::sync_block();
    if (bound == count) return;
    for (u32 i = me; i < count; i += threads) take_up_to(of, parts[i], parts[bound]);
    if (me == 0) parts[bound].is_bound = 1;
  }
};

struct copy_text {
  GENESYS_KERNEL void operator()(genesys::os, u8* to, const u8* from, u64 bytes) const {
    const u64 threads = u64{genesys::blocks_in_grid()} * genesys::threads_in_block();
    for (u64 i = u64{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank(); i < bytes;
         i += threads)
      to[i] = from[i];
  }
};

}  // namespace line_sort
