// SPDX-License-Identifier: Apache-2.0
// Writing to a stream. One thread runs each function, while it holds the stream (with_stream).
#pragma once

#include "genesys/posix/detail/stream_read.h"

namespace genesys::detail::libc {

// How much of the buffer is whole lines.
GENESYS_KERNEL u32 lines_in_buffer(const stream& of) {
  u32 n = of.at;
  while (n > 0 && of.buffer[n - 1] != '\n') --n;
  return n;
}

GENESYS_KERNEL bool begin_writing(stream& to) {
  if (to.last == direction::writing && to.buffer != nullptr) return true;
  if (!to.can_write || to.descriptor < 0) {
    set_errno(EBADF);
    to.failed = true;
    return false;
  }
  if (to.last == direction::reading) forget_unread(to);
  to.at = to.end = 0;
  to.last = direction::writing;
  return has_buffer(to);
}

// The buffer has at least one free byte: first whole lines leave it, then it grows, and at last everything leaves it.
// The buffer of an unbuffered stream has what one call prints, which stays together: it grows first.
GENESYS_KERNEL_OUTLINE inline bool make_space(stream& to) {
  if (to.at < to.size) return true;
  const bool grows_first = to.mode == buffering::none && to.size < line_bytes_max;
  if (const u32 lines = grows_first ? 0 : lines_in_buffer(to); lines != 0) return write_buffer(to, lines);
  if (to.size < line_bytes_max && grow_buffer(to, to.size * 2)) return true;
  return write_buffer(to, to.at);
}

// How much of the data may go out at once: up to its last whole line. All of it if that is too long a line.
GENESYS_KERNEL u64 lines_in(const unsigned char* data, u64 bytes) {
  for (u64 n = bytes; n > 0 && bytes - n < line_bytes_max; --n) {
    if (data[n - 1] == '\n') return n;
  }
  return bytes < line_bytes_max ? 0 : bytes;
}

// Puts text into the buffer. Returns how many bytes it took.
GENESYS_KERNEL_OUTLINE inline u64 put(stream& to, const unsigned char* data, u64 bytes) {
  if (!begin_writing(to)) return 0;
  u64 done = 0;
  if (to.mode == buffering::full && to.at == 0 && bytes >= to.size) {  // not through the buffer
    const u64 lines = lines_in(data, bytes);
    done = write_out(to, data, lines);
    if (done != lines) return done;
  }
  while (done < bytes) {
    if (!make_space(to)) return done;
    const u64 left = bytes - done, space = to.size - to.at;
    const u32 n = static_cast<u32>(left < space ? left : space);
    copy_bytes(to.buffer + to.at, data + done, n);
    to.at += n;
    done += n;
  }
  return done;
}

// At the end of a call that wrote: what must not stay in the buffer leaves it.
GENESYS_KERNEL_OUTLINE inline bool end_writing(stream& to) {
  if (to.last != direction::writing || to.at == 0 || to.mode == buffering::full) return true;
  const u32 bytes = to.mode == buffering::none ? to.at : lines_in_buffer(to);
  return bytes == 0 || write_buffer(to, bytes);
}

}  // namespace genesys::detail::libc
