// SPDX-License-Identifier: Apache-2.0
// Writing a stream's buffer out. One thread runs each function, while it holds the stream (with_stream).
#pragma once

#include "genesys/posix/detail/parts.h"
#include "genesys/posix/detail/stream.h"

namespace genesys::detail::libc {

// Writes `bytes`, whole: Linux may take less at a time. Returns how many it wrote; fewer: `failed` and errno say why.
GENESYS_KERNEL_OUTLINE inline u64 write_out(stream& to, const unsigned char* data, u64 bytes) {
  const os calls(to.from.whole());
  u64 done = 0;
  while (done < bytes) {
    const long n = in_part(calls, to.descriptor, true, bytes - done,
                           [&](size_t part) { return calls.write(to.descriptor, data + done, part); });
    if (n == -EINTR) continue;
    if (n < 0) {
      set_errno(static_cast<int>(-n));
      to.failed = true;
      break;
    }
    done += static_cast<u64>(n);
  }
  return done;
}

// Writes the first `bytes` of the buffer, and moves the rest to its start. If they cannot be written, all that is in
// the buffer is lost, as in glibc, so that a stream whose descriptor fails does not grow.
GENESYS_KERNEL bool write_buffer(stream& to, u32 bytes) {
  if (write_out(to, to.buffer, bytes) != bytes) {
    to.at = 0;
    return false;
  }
  copy_bytes(to.buffer, to.buffer + bytes, to.at - bytes);  // to a lower address: they may overlap
  to.at -= bytes;
  return true;
}

GENESYS_KERNEL_OUTLINE inline bool flush(stream& to) {
  if (to.last != direction::writing || to.at == 0) return true;
  return write_buffer(to, to.at);
}

}  // namespace genesys::detail::libc
