// SPDX-License-Identifier: Apache-2.0
// A stream of the C library for kernels (FILE): a descriptor, and a buffer in device memory. Any thread that has its
// address may use it; a lock keeps what one call reads or writes together. Streams of one thread have no lock.
#pragma once

#include <cstdio>

#include "genesys/posix/detail/bytes.h"
#include "genesys/posix/detail/errno.h"
#include "genesys/posix/detail/heap.h"

namespace genesys::detail::libc {

enum class buffering : unsigned char { full, line, none };
enum class direction : unsigned char { none, reading, writing };

struct stream {
  ticket_origin from;
  u32 lock;
  int descriptor;
  unsigned char* buffer;  // null before the first use
  u32 size;               // of the buffer
  u32 at, end;            // reading: at to end is unread; writing: 0 to at is unwritten
  buffering mode;
  direction last;
  bool can_read, can_write;
  bool appends;             // O_APPEND
  bool at_end, failed;      // as in feof() and ferror()
  bool owns_buffer;         // else setvbuf() gave it
  bool has_lock;            // threads share the stream
  bool is_listed;           // in the block's list (block_library.h)
  bool is_standard;         // one of the thread's three, which are not freed alone
  int pushed_back;          // a byte of ungetc(), which is read first; -1: none
  u32 owner;                // the rank of the thread that flushes it at the end; block_threads_max: the block
  stream *previous, *next;  // in that list
};

// A line of at most so many bytes is written by one call.
constexpr u32 line_bytes_max = 64 << 10;
constexpr u32 standard_buffer_bytes = 256;

GENESYS_KERNEL void set_up(stream& at, const ticket_origin& from, int descriptor) {
  at = {};
  at.from = from;
  at.descriptor = descriptor;
  at.pushed_back = -1;
}

// Calls `body` while no other thread uses the stream.
template <class Body>
GENESYS_KERNEL void with_stream(stream& of, Body body) {
  if (of.has_lock) {
    with_lock(of.lock, body);
  } else {
    body();
  }
}

// The stream's buffer has room for `size` bytes, and keeps what it holds. Returns whether it does.
GENESYS_KERNEL_OUTLINE inline bool grow_buffer(stream& of, u32 size) {
  if (of.buffer != nullptr && (of.size >= size || !of.owns_buffer)) return of.size >= size;
  auto* const larger = static_cast<unsigned char*>(allocate(of.from, size));
  if (larger == nullptr) return false;
  if (of.at != 0) copy_bytes(larger, of.buffer, of.at);
  if (of.buffer != nullptr) (void)release(of.from, of.buffer);
  of.buffer = larger;
  of.size = size;
  of.owns_buffer = true;
  return true;
}

// The stream has no buffer until its next use. What was in it is lost.
GENESYS_KERNEL void drop_buffer(stream& of) {
  if (of.owns_buffer && of.buffer != nullptr) (void)release(of.from, of.buffer);
  of.buffer = nullptr;
  of.owns_buffer = false;
  of.at = of.end = 0;
  of.last = direction::none;
}

// The buffer is there. `size` says how large it is if nobody has chosen.
GENESYS_KERNEL bool has_buffer(stream& of) {
  if (of.buffer != nullptr) return true;
  if (grow_buffer(of, of.size != 0 ? of.size : standard_buffer_bytes)) return true;
  set_errno(ENOMEM);
  of.failed = true;
  return false;
}

}  // namespace genesys::detail::libc
