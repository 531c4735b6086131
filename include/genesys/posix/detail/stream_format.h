// SPDX-License-Identifier: Apache-2.0
// Formatted text into a stream's buffer, and directly to a descriptor. One thread runs each function.
#pragma once

#include "genesys/posix/detail/format.h"
#include "genesys/posix/detail/stream_write.h"

namespace genesys::detail::libc {

// A sink that is the stream's own buffer. The thread holds the stream.
struct stream_sink : sink<stream_sink> {
  stream& to;

  GENESYS_KERNEL explicit stream_sink(stream& s)
      : sink(reinterpret_cast<char*>(s.buffer + s.at), s.size - s.at), to(s) {}
  GENESYS_KERNEL bool drain() {
    note();
    const bool made = make_space(to);  // also where it fails, text has left the buffer
    at = reinterpret_cast<char*>(to.buffer + to.at);
    end = reinterpret_cast<char*>(to.buffer + to.size);
    return made;
  }
  // The stream learns what the buffer has.
  GENESYS_KERNEL void note() { to.at = static_cast<u32>(reinterpret_cast<unsigned char*>(at) - to.buffer); }
};

// Returns the number of bytes, or -1 with errno.
GENESYS_KERNEL_OUTLINE inline int format_into(stream& to, const char* text, arguments given) {
  const int error = error_number();  // of %m
  int result = -1;
  with_stream(to, [&] {
    if (!begin_writing(to)) return;
    stream_sink into(to);
    result = format(into, text, given, error);
    into.note();
    if (!end_writing(to)) result = -EIO;
  });
  if (result < -1 && result != -EIO) set_errno(-result);  // what failed in writing has set errno
  return result < 0 ? -1 : result;
}

// A sink that writes to a descriptor whenever its buffer is full.
struct descriptor_sink : sink<descriptor_sink> {
  static constexpr u32 bytes = 512;
  ticket_origin from;
  int descriptor;
  char text[bytes];

  GENESYS_KERNEL descriptor_sink(const ticket_origin& f, int fd) : sink(text, bytes), from(f), descriptor(fd) {}
  GENESYS_KERNEL_OUTLINE bool drain() {
    stream to;
    set_up(to, from, descriptor);
    const u64 there = static_cast<u64>(at - text);
    at = text;
    return there == 0 || write_out(to, reinterpret_cast<const unsigned char*>(text), there) == there;
  }
};

GENESYS_KERNEL_OUTLINE inline int format_to_descriptor(ticket_origin from, int fd, const char* text, arguments given) {
  descriptor_sink into(from, fd);
  int result = format(into, text, given, error_number());
  if (!into.drain()) result = -EIO;
  if (result < 0 && result != -EIO) set_errno(-result);
  return result < 0 ? -1 : result;
}

}  // namespace genesys::detail::libc
