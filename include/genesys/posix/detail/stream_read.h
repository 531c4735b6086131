// SPDX-License-Identifier: Apache-2.0
// Reading from a stream, and its position. One thread runs each function, while it holds the stream (with_stream).
#pragma once

#include "genesys/posix/detail/stream_flush.h"

namespace genesys::detail::libc {

// The bytes that have been read from the descriptor, but not by the program.
GENESYS_KERNEL u64 unread(const stream& of) {
  return of.last == direction::reading ? of.end - of.at + (of.pushed_back >= 0 ? 1 : 0) : 0;
}

// Sets the descriptor back to where the program has read to. A pipe cannot; then the bytes are lost.
GENESYS_KERNEL void forget_unread(stream& of) {
  if (const u64 bytes = unread(of); bytes != 0) {
    const os calls(of.from.whole());
    (void)calls.lseek(of.descriptor, -static_cast<off_t>(bytes), SEEK_CUR);
  }
  of.at = of.end = 0;
  of.pushed_back = -1;
  of.last = direction::none;
}

GENESYS_KERNEL bool begin_reading(stream& of) {
  if (of.last == direction::reading && of.buffer != nullptr) return true;
  if (!of.can_read || of.descriptor < 0) {
    set_errno(EBADF);
    of.failed = true;
    return false;
  }
  if (of.last == direction::writing && !flush(of)) return false;
  of.at = of.end = 0;
  of.last = direction::reading;
  return has_buffer(of);
}

// Sets the descriptor back to where the program has read to, unless it cannot, as a pipe: then the bytes stay.
GENESYS_KERNEL void synchronize(stream& of) {
  const u64 bytes = unread(of);
  const os calls(of.from.whole());
  if (bytes == 0 || calls.lseek(of.descriptor, -static_cast<off_t>(bytes), SEEK_CUR) < 0) return;
  of.at = of.end = 0;
  of.pushed_back = -1;
  of.last = direction::none;
}

// 0, or EOF with errno.
GENESYS_KERNEL_OUTLINE inline int flush_one(stream& of) {
  bool done = false;
  with_stream(of, [&] {
    done = flush(of);
    synchronize(of);
  });
  return done ? 0 : EOF;
}

// Reads once into memory. Returns the bytes; 0: the end, which lasts (clearerr), or an error.
GENESYS_KERNEL_OUTLINE inline u64 read_in(stream& of, unsigned char* into, u64 bytes) {
  const os calls(of.from.whole());
  while (!of.at_end) {
    const long n =
        in_part(calls, of.descriptor, false, bytes, [&](size_t part) { return calls.read(of.descriptor, into, part); });
    if (n == -EINTR) continue;
    if (n < 0) {
      set_errno(static_cast<int>(-n));
      of.failed = true;
    } else if (n == 0) {
      of.at_end = true;
    }
    return n > 0 ? static_cast<u64>(n) : 0;
  }
  return 0;
}

// How much to read ahead.
GENESYS_KERNEL u32 read_ahead(const stream& of) { return of.mode == buffering::none ? 1 : of.size; }

// The buffer has a byte to read.
GENESYS_KERNEL bool fill(stream& of) {
  if (of.at < of.end) return true;
  of.at = 0;
  of.end = static_cast<u32>(read_in(of, of.buffer, read_ahead(of)));
  return of.end != 0;
}

GENESYS_KERNEL_OUTLINE inline int get(stream& of) {
  if (!begin_reading(of)) return EOF;
  if (of.pushed_back >= 0) {
    const int c = of.pushed_back;
    of.pushed_back = -1;
    return c;
  }
  return fill(of) ? of.buffer[of.at++] : EOF;
}

// Reads up to `bytes`: as many as there are before the end, or an error.
GENESYS_KERNEL_OUTLINE inline u64 take(stream& of, unsigned char* into, u64 bytes) {
  if (bytes == 0 || !begin_reading(of)) return 0;
  u64 done = 0;
  if (of.pushed_back >= 0) {
    into[done++] = static_cast<unsigned char>(of.pushed_back);
    of.pushed_back = -1;
  }
  while (done < bytes) {
    const u64 left = bytes - done;
    if (of.at == of.end && left >= read_ahead(of)) {  // not through the buffer
      const u64 n = read_in(of, into + done, left);
      if (n == 0) break;
      done += n;
      continue;
    }
    if (!fill(of)) break;
    const u64 there = of.end - of.at, n = left < there ? left : there;
    copy_bytes(into + done, of.buffer + of.at, n);
    of.at += static_cast<u32>(n);
    done += n;
  }
  return done;
}

// Reads up to `bytes`, up to and with the byte `last`: a line. Returns how many, and whether `last` is among them.
GENESYS_KERNEL_OUTLINE inline u64 take_until(stream& of, unsigned char last, unsigned char* into, u64 bytes,
                                             bool& is_whole) {
  is_whole = false;
  if (bytes == 0 || !begin_reading(of)) return 0;
  u64 done = 0;
  if (of.pushed_back >= 0) {
    into[done++] = static_cast<unsigned char>(of.pushed_back);
    of.pushed_back = -1;
    is_whole = into[0] == last;
  }
  while (done < bytes && !is_whole && fill(of)) {
    const unsigned char* const from = of.buffer + of.at;
    const u64 left = bytes - done, there = of.end - of.at;
    u64 n = left < there ? left : there;
    if (const unsigned char* const found = find_byte(from, last, n); found != nullptr) {
      is_whole = true;
      n = static_cast<u64>(found - from) + 1;
    }
    copy_bytes(into + done, from, n);
    of.at += static_cast<u32>(n);
    done += n;
  }
  return done;
}

GENESYS_KERNEL_OUTLINE inline bool seek(stream& of, off_t offset, int from) {
  if (!flush(of)) return false;
  if (from == SEEK_CUR) offset -= static_cast<off_t>(unread(of));
  const os calls(of.from.whole());
  if (const long at = calls.lseek(of.descriptor, offset, from); at < 0) {
    set_errno(static_cast<int>(-at));
    return false;
  }
  of.at = of.end = 0;
  of.pushed_back = -1;
  of.last = direction::none;
  of.at_end = false;
  return true;
}

GENESYS_KERNEL_OUTLINE inline off_t tell(stream& of) {
  const os calls(of.from.whole());
  const bool at_end = of.appends && of.last == direction::writing;  // there the buffer will be written
  const long at = calls.lseek(of.descriptor, 0, at_end ? SEEK_END : SEEK_CUR);
  if (at < 0) {
    set_errno(static_cast<int>(-at));
    return -1;
  }
  return at - static_cast<off_t>(unread(of)) + (of.last == direction::writing ? of.at : 0);
}

}  // namespace genesys::detail::libc
