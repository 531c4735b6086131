// SPDX-License-Identifier: Apache-2.0
// Searches a file: reads it piece by piece into the team's workspace and looks for words there. Called by all threads
// of a team; each thread tests every n-th byte for a word that begins there.
//
// A byte is decided when the longest word that begins there would have its last byte in the same piece. The undecided
// bytes, fewer than the longest word has, stay and come before the next piece. So each byte of the file is decided
// exactly once. Like in GNU grep, a line ends at a newline or a NUL, and no word contains one of these.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "report.h"

namespace grep {

constexpr std::uint64_t no_hole = ~std::uint64_t{0}, no_end = no_hole;

// The part of a file whose lines are searched: those that begin in [begin, end). `of`: the large file that it is a
// segment of, or null.
struct range {
  std::uint64_t begin = 0, end = no_end;
  large_file* of = nullptr;
};

// How far a file is read. Every thread of the team has its own copy, and all are equal.
struct reader {
  int fd;
  bool stream;             // not a regular file: it is read in order, and only a read shows its end
  std::uint64_t size;      // of a regular file, when it was opened
  std::uint64_t data_end;  // where the next known hole begins; no_hole: none is known
  std::uint64_t offset = 0;
  bool at_end = false;
  const unsigned char* mapped = nullptr;  // the whole file in memory: no call reads it
};

// A file with fewer blocks than bytes has holes, which need not be read.
GENESYS_KERNEL reader reader_of(long fd, const struct stat& status) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const bool regular = S_ISREG(status.st_mode);
  const bool sparse = regular && size > chunk_bytes && static_cast<std::uint64_t>(status.st_blocks) * 512 < size;
  return {static_cast<int>(fd), !regular, size, sparse ? 0 : no_hole};
}

// If a hole may begin at the offset, skips it. Returns the bytes skipped, all of them NULs.
template <class Calls>
GENESYS_KERNEL std::uint64_t skip_hole(const Calls& io, reader& file) {
  if (file.offset != file.data_end) return 0;
  const std::uint64_t begin = file.offset;
  const long data = begin < file.size ? io.lseek(file.fd, static_cast<long>(begin), SEEK_DATA) : -ENXIO;
  if (data == -ENXIO) {  // the hole goes on to the end of the file
    file.offset = file.size;
    file.at_end = true;
    return file.size - begin;
  }
  const long hole = data >= 0 ? io.lseek(file.fd, data, SEEK_HOLE) : data;
  file.data_end = hole >= 0 ? static_cast<std::uint64_t>(hole) : no_hole;
  if (hole >= 0) file.offset = static_cast<std::uint64_t>(data);
  return file.offset - begin;
}

// The unit of loads from a mapped file: they cross the link, where few wide ones are faster.
struct alignas(16) mapped_unit {
  unsigned char bytes[16];
};

// Copies the next piece of a mapped file. A mapping begins and ends at a page, so whole units lie in it. The barriers
// are those of a call.
template <class Team>
GENESYS_KERNEL long copy_chunk(unsigned char* to, reader& file, unsigned room) {
  const std::uint64_t left = file.size - file.offset;
  const auto bytes = static_cast<unsigned>(left < room ? left : room);
  const auto before = static_cast<unsigned>(file.offset % sizeof(mapped_unit));  // bytes of the first unit
  const auto* const units = reinterpret_cast<const mapped_unit*>(file.mapped + file.offset - before);
  Team::sync();
  for (unsigned i = Team::rank(); i * sizeof(mapped_unit) < before + bytes; i += Team::threads()) {
    const mapped_unit unit = units[i];
    for (unsigned b = 0; b < sizeof(mapped_unit); ++b) {
      const unsigned at = i * static_cast<unsigned>(sizeof(mapped_unit)) + b;
      if (at >= before && at < before + bytes) to[at - before] = unit.bytes[b];
    }
  }
  Team::sync();
  file.offset += bytes;
  file.at_end = file.offset == file.size;
  return bytes;
}

// Maps a file, if its size is known. Null: it is read.
template <class Calls>
GENESYS_KERNEL const unsigned char* map_file(const Calls& io, long fd, std::uint64_t size) {
  const long at = size > 0 ? io.mmap(nullptr, size, PROT_READ, MAP_SHARED, static_cast<int>(fd), 0) : -EINVAL;
  return at < 0 ? nullptr : reinterpret_cast<const unsigned char*>(at);
}

// Reads the next piece to data + kept. Returns the bytes read, or -errno. Sets at_end after a result of 0, or
// when a regular file is read up to its size and no further read is needed. Not inlined, because many functions call
// it: a copy in each of them takes nvcc minutes.
template <class Team>
GENESYS_KERNEL_OUTLINE long read_chunk(const genesys::os& os, unsigned char* data, reader& file, unsigned kept) {
  const auto io = Team::on(os);
  std::uint64_t room = chunk_bytes - kept;
  if (file.mapped != nullptr) return copy_chunk<Team>(data + kept, file, static_cast<unsigned>(room));
  if (room > file.data_end - file.offset) room = file.data_end - file.offset;
  // One more byte than the file has shows its end, and a small file needs a small bounce buffer.
  if (file.offset < file.size && room > file.size - file.offset) room = file.size - file.offset + 1;
  const long bytes = file.stream ? io.read(file.fd, data + kept, room)
                                 : io.pread64(file.fd, data + kept, room, static_cast<long>(file.offset));
  if (bytes > 0) file.offset += static_cast<std::uint64_t>(bytes);
  file.at_end = bytes <= 0 || (!file.stream && static_cast<std::uint64_t>(bytes) < room && file.offset == file.size);
  return bytes;
}

GENESYS_KERNEL bool ends_line(unsigned char byte) { return byte == '\n' || byte == 0; }

// Whether a word begins before data[at] in the same line. `earlier`: the result for the part of the line before this
// piece. Any thread. It rarely looks far back: only to the last word or the last end of a line.
template <class Team>
GENESYS_KERNEL bool matched_before(const task& work, const workspace<Team>& space, unsigned at, unsigned filled,
                                   bool earlier) {
  while (at-- > 0) {
    if (ends_line(space.data[at])) return false;
    if (word_begins(work.wanted, pair_bits(), space.data, at, filled, space.behind_word != 0)) return true;
  }
  return earlier;
}

// Whether a word begins at one of this thread's bytes in data[from, decided).
template <class Team>
GENESYS_KERNEL bool find_word(const task& work, const workspace<Team>& space, unsigned from, unsigned decided,
                              unsigned filled) {
  for (unsigned at = from + Team::rank(); at < decided; at += Team::threads()) {
    if (word_begins(work.wanted, pair_bits(), space.data, at, filled, space.behind_word != 0)) return true;
  }
  return false;
}

// The number of lines whose first word begins at one of this thread's bytes.
template <class Team>
GENESYS_KERNEL unsigned count_lines(const task& work, const workspace<Team>& space, unsigned from, unsigned decided,
                                    unsigned filled, bool earlier) {
  unsigned lines = 0;
  for (unsigned at = from + Team::rank(); at < decided; at += Team::threads()) {
    if (!word_begins(work.wanted, pair_bits(), space.data, at, filled, space.behind_word != 0)) continue;
    if (!matched_before(work, space, at, filled, earlier)) ++lines;
  }
  return lines;
}

// The number of ends of lines among this thread's bytes in data[from, end).
template <class Team>
GENESYS_KERNEL unsigned count_line_ends(const workspace<Team>& space, unsigned from, unsigned end) {
  unsigned ends = 0;
  for (unsigned at = from + Team::rank(); at < end; at += Team::threads()) ends += ends_line(space.data[at]) ? 1 : 0;
  return ends;
}

// Moves data[from, from + bytes) to the front, in steps of one byte for each thread; a barrier separates the loads of a
// step from its stores.
template <class Team>
GENESYS_KERNEL void move_to_front(workspace<Team>& space, unsigned from, unsigned bytes) {
  if (from == 0) return;
  const unsigned threads = Team::threads();
  for (unsigned begin = 0; begin < bytes; begin += threads) {
    const unsigned at = begin + Team::rank();
    const unsigned char byte = at < bytes ? space.data[from + at] : 0;
    Team::sync();
    if (at < bytes) space.data[at] = byte;
  }
}

// The first byte in data[from, end) that `is`, or `end`. All threads get the same. They look at a window at a time.
template <class Team, class Is>
GENESYS_KERNEL unsigned find_first(workspace<Team>& space, unsigned from, unsigned end, const Is& is) {
  constexpr unsigned bytes_of_thread = 8;
  const genesys::atomic<std::uint32_t, genesys::thread_scope::block> found(space.first_found);  // its complement
  const unsigned threads = Team::threads(), window = threads * bytes_of_thread;
  Team::sync();
  if (Team::rank() == 0) found.store(~end, std::memory_order_relaxed);
  Team::sync();
  for (unsigned begin = from; begin < end; begin += window) {
    const unsigned until = end - begin < window ? end : begin + window;
    bool any = false;
    for (unsigned at = begin + Team::rank(); at < until && !any; at += threads) {
      any = is(at);
      if (any) found.fetch_max(~at, std::memory_order_relaxed);
    }
    if (Team::any(any)) break;
  }
  return ~found.load(std::memory_order_relaxed);
}

// The first end of a line in data[from, end), or `end`.
template <class Team>
GENESYS_KERNEL unsigned find_line_end(workspace<Team>& space, unsigned from, unsigned end) {
  return find_first(space, from, end, [&](unsigned at) { return ends_line(space.data[at]); });
}

// Where the first word in data[from, end) begins, or `end`.
template <class Team>
GENESYS_KERNEL unsigned find_match(const task& work, workspace<Team>& space, unsigned from, unsigned end,
                                   unsigned filled) {
  return find_first(space, from, end, [&](unsigned at) {
    return word_begins(work.wanted, pair_bits(), space.data, at, filled, space.behind_word != 0);
  });
}

template <class Team>
GENESYS_KERNEL bool has_nul(workspace<Team>& space, unsigned from, unsigned end) {
  return find_first(space, from, end, [&](unsigned at) { return space.data[at] == 0; }) < end;
}

// Behind the last end of a line in data[from, end), or `from`. All threads get the same.
template <class Team>
GENESYS_KERNEL unsigned after_last_line_end(workspace<Team>& space, unsigned from, unsigned end) {
  const genesys::atomic<std::uint32_t, genesys::thread_scope::block> found(space.first_found);
  Team::sync();
  if (Team::rank() == 0) found.store(from, std::memory_order_relaxed);
  Team::sync();
  unsigned last = from;
  for (unsigned at = from + Team::rank(); at < end; at += Team::threads())
    if (ends_line(space.data[at])) last = at + 1;
  found.fetch_max(last, std::memory_order_relaxed);
  Team::sync();
  return found.load(std::memory_order_relaxed);
}

// The sum over all threads of the team, which get the same.
template <class Team>
GENESYS_KERNEL std::uint64_t sum_of_team(workspace<Team>& space, std::uint64_t own) {
  const genesys::atomic<std::uint64_t, genesys::thread_scope::block> sum(space.sum);
  Team::sync();
  if (Team::rank() == 0) sum.store(0, std::memory_order_relaxed);
  Team::sync();
  sum.fetch_add(own, std::memory_order_relaxed);
  Team::sync();
  return sum.load(std::memory_order_relaxed);
}

// Where the search is in its range. Every thread of the team has its own copy, and all are equal.
struct range_position {
  range of;
  bool inside;         // a line of the range has begun
  bool ended = false;  // the first line behind the range has begun

  GENESYS_KERNEL explicit range_position(const range& whole) : of(whole), inside(whole.begin == 0) {}

  // Of data[0, decided), which begins at `offset` of the file, cuts off what does not belong to lines of the range.
  // A segment reads the byte before it, too: it may end a line.
  template <class Team>
  GENESYS_KERNEL unsigned begin(workspace<Team>& space, std::uint64_t offset, unsigned& decided) {
    unsigned from = 0;
    if (!inside) {
      const unsigned end = find_line_end(space, 0, decided);
      if (end == decided) return decided;
      inside = true;
      from = end + 1;
      ended = offset + from >= of.end;
      if (ended) decided = from;
    }
    if (ended || of.end == no_end || offset + decided < of.end) return from;
    const std::uint64_t last = of.end - 1 - offset;  // may be before this piece
    const unsigned look = of.end - 1 <= offset + from ? from : static_cast<unsigned>(last);
    const unsigned end = find_line_end(space, look, decided);
    ended = end < decided;
    if (ended) decided = end + 1;
    return from;
  }
};

// Whether a message is to be printed: a large file gets one, whatever the number of its segments.
GENESYS_KERNEL bool complains_first(const range& part) {
  return part.of == nullptr || genesys::atomic(part.of->failed).exchange(1, std::memory_order_relaxed) == 0;
}

// The number of lines with a word, or with -v of those without; without -c and -v, 1 for any number of them. If there
// are none, and lines are numbered, `ends` is the number of ends of lines. All threads get the same.
template <class Team>
GENESYS_KERNEL std::uint64_t search(const genesys::os& os, const task& work, workspace<Team>& space, reader file,
                                    const range& part, unsigned path_length, std::uint64_t* ends = nullptr) {
  const auto io = Team::on(os);
  const bool first = Team::rank() == 0;
  // With -w the byte behind a word counts, too.
  const unsigned overlap = work.wanted.longest > 0 ? work.wanted.longest - (work.wanted.whole ? 0 : 1) : 0;
  const bool is_exact = work.count || work.invert;
  std::uint64_t lines = 0;  // with a word, found by this thread
  std::uint64_t all = 0;    // lines whose end this thread has found
  unsigned kept = 0;        // undecided bytes at the front
  bool counted = false;     // whether their line is counted already
  bool open = false;        // bytes of a line without an end were decided
  range_position position(part);
  if (first) space.behind_word = 0;
  while (!file.at_end && !position.ended) {
    const std::uint64_t hole = skip_hole(io, file);
    if (hole > 0) {  // each NUL ends a line; the first such line may be counted already
      if (work.wanted.every_line && first) lines += hole - (counted ? 1 : 0);
      if (work.wanted.every_line && !is_exact) return 1;
      if (first) all += hole;
      counted = open = false;
      if (first) space.behind_word = 0;
      if (file.at_end) break;
    }
    const long bytes = read_chunk<Team>(os, space.data, file, kept);
    if (bytes < 0 && first && complains_first(part)) complain(os, work, space.line, path_length, bytes);
    if (bytes > 0 && first) space.bytes_read += static_cast<std::uint64_t>(bytes);
    const unsigned filled = kept + (bytes > 0 ? static_cast<unsigned>(bytes) : 0);
    const bool whole = file.at_end || file.offset == file.data_end;  // no word continues after this piece
    unsigned decided = whole ? filled : filled - (filled < overlap ? filled : overlap);
    const unsigned from = position.begin(space, file.offset - filled, decided);
    if (work.invert || work.numbers) {
      all += count_line_ends(space, from, decided);
      if (decided > from) open = !ends_line(space.data[decided - 1]);
    }
    if (is_exact) {
      lines += count_lines(work, space, from, decided, filled, counted);
      if (first) space.line_counted = matched_before(work, space, decided, filled, counted);
      Team::sync();
      counted = space.line_counted != 0;
    } else if (Team::any(find_word(work, space, from, decided, filled))) {
      return 1;
    }
    kept = filled - decided;
    if (first && decided > 0) space.behind_word = is_word_byte(space.data[decided - 1]) ? 1 : 0;
    move_to_front(space, decided, kept);
  }
  if (ends != nullptr && work.numbers) *ends = sum_of_team(space, all);
  if (!is_exact) return 0;
  if (work.invert) lines = all + (open && first ? 1 : 0) - lines;  // the sum over all threads is not negative
  return sum_of_team(space, lines);
}

}  // namespace grep
