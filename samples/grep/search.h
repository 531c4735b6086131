// SPDX-License-Identifier: Apache-2.0
// A file: reads it chunk by chunk into shared memory and looks for the words there. Called by all threads of a block;
// each looks at every n-th byte and asks whether a word begins there.
//
// A byte is decided when a word that begins there would have its last byte in the chunk too. The bytes that are not,
// fewer than the longest word has, are kept and stand before the next chunk: so each byte of the file is decided
// exactly once. A line ends, as in GNU grep, at a newline or a NUL, and no word holds one of these.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "report.h"

namespace grep {

constexpr std::uint64_t no_hole = ~std::uint64_t{0};

// How far a file has been read. Every thread of the block has its own, and they are equal.
struct reader {
  int fd;
  bool stream;             // no regular file: it is read in order, and its end shows only there
  std::uint64_t size;      // of a regular file, when it was opened
  std::uint64_t data_end;  // where the next hole begins, as far as known; no_hole: none does
  std::uint64_t offset = 0;
  bool at_end = false;
};

// Fewer blocks than bytes: there are holes, which need not be read.
GENESYS_KERNEL reader reader_of(long fd, const struct stat& status) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const bool regular = S_ISREG(status.st_mode);
  const bool sparse = regular && size > chunk_bytes && static_cast<std::uint64_t>(status.st_blocks) * 512 < size;
  return {static_cast<int>(fd), !regular, size, sparse ? 0 : no_hole};
}

// Where a hole may begin, goes on to where it ends. The bytes passed over: all of them NULs.
template <class Calls>
GENESYS_KERNEL std::uint64_t skip_hole(const Calls& io, reader& file) {
  if (file.offset != file.data_end) return 0;
  const std::uint64_t begin = file.offset;
  const long data = begin < file.size ? io.lseek(file.fd, static_cast<long>(begin), SEEK_DATA) : -ENXIO;
  if (data == -ENXIO) {  // nothing but a hole up to the end
    file.offset = file.size;
    file.at_end = true;
    return file.size - begin;
  }
  const long hole = data >= 0 ? io.lseek(file.fd, data, SEEK_HOLE) : data;
  file.data_end = hole >= 0 ? static_cast<std::uint64_t>(hole) : no_hole;
  if (hole >= 0) file.offset = static_cast<std::uint64_t>(data);
  return file.offset - begin;
}

// Reads on into space.data, from `kept` on. The bytes read, or -errno. The end shows by 0, and where a regular file has
// been read up to its size without need to ask again.
template <class Calls>
GENESYS_KERNEL long read_chunk(const Calls& io, workspace& space, reader& file, unsigned kept) {
  std::uint64_t room = chunk_bytes - kept;
  if (room > file.data_end - file.offset) room = file.data_end - file.offset;
  const long bytes = file.stream ? io.read(file.fd, space.data + kept, room)
                                 : io.pread64(file.fd, space.data + kept, room, static_cast<long>(file.offset));
  if (bytes > 0) file.offset += static_cast<std::uint64_t>(bytes);
  file.at_end = bytes <= 0 || (!file.stream && static_cast<std::uint64_t>(bytes) < room && file.offset == file.size);
  return bytes;
}

GENESYS_KERNEL bool ends_line(unsigned char byte) { return byte == '\n' || byte == 0; }

// Does a word begin before data[at], in the line that data[at] belongs to? `earlier`: the answer for what is no longer
// in the chunk. Any thread. Seldom far back: only up to the last word or the last line's end.
GENESYS_KERNEL bool matched_before(const task& work, const workspace& space, unsigned at, unsigned filled,
                                   bool earlier) {
  while (at-- > 0) {
    if (ends_line(space.data[at])) return false;
    if (word_begins(work.wanted, space.pair_bits, space.data, at, filled)) return true;
  }
  return earlier;
}

// Does a word begin at one of the calling thread's bytes among the first `decided`?
GENESYS_KERNEL bool find_word(const task& work, const workspace& space, unsigned decided, unsigned filled) {
  for (unsigned at = genesys::thread_rank(); at < decided; at += genesys::threads_in_block()) {
    if (word_begins(work.wanted, space.pair_bits, space.data, at, filled)) return true;
  }
  return false;
}

// How many lines have their first word at one of the calling thread's bytes?
GENESYS_KERNEL unsigned count_lines(const task& work, const workspace& space, unsigned decided, unsigned filled,
                                    bool earlier) {
  unsigned lines = 0;
  for (unsigned at = genesys::thread_rank(); at < decided; at += genesys::threads_in_block()) {
    if (!word_begins(work.wanted, space.pair_bits, space.data, at, filled)) continue;
    if (!matched_before(work, space, at, filled, earlier)) ++lines;
  }
  return lines;
}

// Moves data[from, from + bytes) to the front: as many bytes at a time as there are threads, all read before any is
// written.
GENESYS_KERNEL void move_to_front(workspace& space, unsigned from, unsigned bytes) {
  if (from == 0) return;
  const unsigned threads = genesys::threads_in_block();
  for (unsigned begin = 0; begin < bytes; begin += threads) {
    const unsigned at = begin + genesys::thread_rank();
    const unsigned char byte = at < bytes ? space.data[from + at] : 0;
    genesys::sync_block();
    if (at < bytes) space.data[at] = byte;
  }
}

// How many lines have a word in them; without -c, 1 for any number. The same in every thread.
GENESYS_KERNEL std::uint64_t search(const genesys::os& os, const task& work, workspace& space, reader file,
                                    unsigned path_length) {
  const auto io = os.on(genesys::block());
  const bool first = genesys::thread_rank() == 0;
  const unsigned overlap = work.wanted.longest > 0 ? work.wanted.longest - 1 : 0;
  std::uint64_t lines = 0;  // this thread's
  unsigned kept = 0;        // bytes at the front that are not decided
  bool counted = false;     // the line that they belong to has been counted
  if (first) space.lines = 0;
  while (!file.at_end) {
    const std::uint64_t hole = skip_hole(io, file);
    if (hole > 0) {  // each NUL ends a line, the first of them one that may have been counted
      if (work.wanted.every_line && first) lines += hole - (counted ? 1 : 0);
      if (work.wanted.every_line && !work.count) return 1;
      counted = false;
      if (file.at_end) break;
    }
    const long bytes = read_chunk(io, space, file, kept);
    if (bytes < 0 && first) complain(os, work, space.line, path_length, bytes);
    if (bytes > 0 && first) space.bytes_read += static_cast<std::uint64_t>(bytes);
    const unsigned filled = kept + (bytes > 0 ? static_cast<unsigned>(bytes) : 0);
    const bool whole = file.at_end || file.offset == file.data_end;  // no word goes on behind this
    const unsigned decided = whole ? filled : filled - (filled < overlap ? filled : overlap);
    if (work.count) {
      lines += count_lines(work, space, decided, filled, counted);
      if (first) space.line_counted = matched_before(work, space, decided, filled, counted);
      genesys::sync_block();
      counted = space.line_counted != 0;
    } else if (genesys::sync_block_count(find_word(work, space, decided, filled)) > 0) {
      return 1;
    }
    kept = filled - decided;
    move_to_front(space, decided, kept);
  }
  if (!work.count) return 0;
  genesys::atomic<std::uint64_t, genesys::thread_scope::block>(space.lines).fetch_add(lines, std::memory_order_relaxed);
  genesys::sync_block();
  return space.lines;
}

}  // namespace grep
