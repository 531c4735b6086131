// SPDX-License-Identifier: Apache-2.0
// What a block of the kernel does, and a thread of the CPU version: takes parts of files (work.h), reads them piece by
// piece, and counts the wanted words. A *team* is a block, or a thread of the CPU; it says how its calls are made.
//
// A byte is decided when the longest wanted word that begins there, and the byte behind it, are in the same piece. The
// undecided bytes stay and come before the next piece. So each byte is decided once.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include "words.h"
#include "work.h"

namespace wordcount {

// How far a part is read. Every thread of the team has its own copy, and all are equal.
struct reader {
  int fd;
  u64 offset;
  u64 decide_to;           // words that begin from here on belong to another part; or no_end
  u64 size;                // of a regular file, when it was opened; else 0
  u32 kept = 0;            // undecided bytes at the front of the piece
  bool before;             // whether the byte before the piece is one of a word
  bool skips = false;      // the piece's first byte is the one before the part
  bool is_stream = false;  // neither a regular file nor a block device: read(2) in order
};
constexpr u64 no_end = ~u64{0};

GENESYS_KERNEL reader reader_of(int fd, u64 size, bool is_stream, const part& taken) {
  if (taken.of == nullptr) return {fd, 0, no_end, size, 0, false, false, is_stream};
  const bool is_last = taken.segment + 1 == segments_of(taken.of->size);
  const u64 begin = taken.segment * segment_bytes, end = is_last ? no_end : begin + segment_bytes;
  if (begin == 0) return {fd, 0, end, taken.of->size, 0, false, false};
  return {fd, begin - 1, end, taken.of->size, 0, false, true};
}

// Counts the wanted words that begin in data[first, decided).
template <class Team>
GENESYS_KERNEL void count_piece(Team& team, const words& wanted, const unsigned char* data, u32 first, u32 decided,
                                u32 filled, bool before) {
  for (u32 at = first + team.rank(); at < decided; at += team.size()) {
    if (!may_begin(team.pair_bits(), data, at, filled, before)) continue;
    const u32 word = find_word(wanted, data + at, data + filled);
    if (word != no_word) team.count(word);
  }
}

// Reads and counts a part. Returns 0, or -errno.
template <class Team>
GENESYS_KERNEL long count_part(Team& team, const words& wanted, reader from) {
  const u32 overlap = wanted.longest + 1;
  unsigned char* const data = team.data();
  for (;;) {
    u64 space = Team::piece_bytes - from.kept;
    if (from.decide_to != no_end && from.decide_to + overlap - from.offset < space)
      space = from.decide_to + overlap - from.offset;
    const long bytes = from.is_stream
                           ? team.calls().read(from.fd, data + from.kept, space)
                           : team.calls().pread64(from.fd, data + from.kept, space, static_cast<long>(from.offset));
    if (bytes < 0) return bytes;
    team.note_read(static_cast<u64>(bytes));
    const u64 piece_at = from.offset - from.kept;
    const u32 filled = from.kept + static_cast<u32>(bytes);
    from.offset += static_cast<u64>(bytes);
    // After a short read up to the size, no other read is needed to see the end.
    const bool is_end = bytes == 0 || (static_cast<u64>(bytes) < space && from.offset == from.size);
    u32 decided = is_end ? filled : filled > overlap ? filled - overlap : 0;
    const bool is_last = is_end || (from.decide_to != no_end && piece_at + decided >= from.decide_to);
    if (is_last && from.decide_to != no_end && piece_at + decided > from.decide_to)
      decided = static_cast<u32>(from.decide_to - piece_at);
    const u32 first = from.skips && decided > 0 ? 1 : 0;
    const u64 begin = team.begin_computing();
    count_piece(team, wanted, data, first, decided, filled, from.before);
    team.end_computing(begin);
    if (is_last) return 0;
    if (decided > 0) {
      from.skips = false;
      from.before = is_word_byte(data[decided - 1]);
    }
    from.kept = filled - decided;
    team.move_to_front(decided, from.kept);
  }
}

// All parts that this team takes. All threads of the team call it.
template <class Team>
GENESYS_KERNEL void count_files(Team& team, const words& wanted, const work& all) {
  part taken;
  while (team.take(all, taken)) {
    int fd = -1;
    u64 size = 0;
    bool is_stream = false;
    if (taken.of != nullptr) {
      fd = static_cast<int>(taken.of->fd);
    } else {
      const char* const name = all.names + all.starts[taken.file];
      const long opened = team.calls().openat(AT_FDCWD, name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
      const long error = opened < 0 ? opened : team.calls().fstat(static_cast<int>(opened), &team.status());
      fd = static_cast<int>(opened);
      size = error == 0 && S_ISREG(team.status().st_mode) ? static_cast<u64>(team.status().st_size) : 0;
      is_stream = error == 0 && !S_ISREG(team.status().st_mode) && !S_ISBLK(team.status().st_mode);
      team.opened(all, taken, fd, size);
      if (error < 0) {
        team.complain(all, taken.file, error);
        if (fd >= 0) team.close(fd);
        continue;
      }
    }
    if (const long error = count_part(team, wanted, reader_of(fd, size, is_stream, taken)); error < 0)
      team.complain(all, taken.file, error);
    if (team.is_done_with(taken)) team.close(fd);
  }
}

// Of a segment: whether it was the file's last one. One thread.
GENESYS_KERNEL bool is_last_segment(const part& taken) {
  return genesys::atomic<u32>(taken.of->left).fetch_sub(1, order::acq_rel) == 1;
}

}  // namespace wordcount
