// SPDX-License-Identifier: Apache-2.0
// How streams are opened and closed.
#pragma once

#include <fcntl.h>

#include "genesys/posix/detail/block_library.h"
#include "genesys/posix/detail/scopes.h"

namespace genesys::detail::libc {

// The flags of open(2) for a mode of fopen(3); -1: it is none.
GENESYS_KERNEL int flags_of(const char* mode) {
  int flags = *mode == 'r' ? O_RDONLY : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
  if (*mode != 'r' && *mode != 'w' && *mode != 'a') return -1;
  for (++mode; *mode != 0; ++mode) {
    if (*mode == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*mode == 'x') flags |= O_EXCL;
    if (*mode == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

// A stream that only appends begins at the end, so that ftell() says where it writes. (A pipe has no end.)
GENESYS_KERNEL void go_to_end(const os& calls, int fd, int flags) {
  if ((flags & O_APPEND) != 0 && (flags & O_ACCMODE) == O_WRONLY) (void)calls.lseek(fd, 0, SEEK_END);
}

// The buffer of a stream, by the threads that share it.
template <class Scope>
constexpr u32 buffer_bytes_of = std::is_same_v<Scope, thread> ? 4096
                                : std::is_same_v<Scope, warp> ? 16384
                                                              : 65536;

struct stream_kind {
  bool is_shared;    // by the threads of a scope
  u32 buffer_bytes;  // of its buffer, which grows
  u32 owner;         // stream::owner
};

// A stream of an open descriptor, by one thread. Null: no memory.
GENESYS_KERNEL_OUTLINE inline stream* make_stream(ticket_origin from, int descriptor, int flags, stream_kind kind) {
  auto* const made = static_cast<stream*>(allocate(from, sizeof(stream)));
  if (made == nullptr) {
    set_errno(ENOMEM);
    return nullptr;
  }
  const int access = flags & O_ACCMODE;
  set_up(*made, from, descriptor);
  made->can_read = access != O_WRONLY;
  made->can_write = access != O_RDONLY;
  made->appends = (flags & O_APPEND) != 0;
  made->size = kind.buffer_bytes;
  made->has_lock = kind.is_shared;
  made->owner = kind.owner;
  if (is_bound()) {
    made->is_listed = true;
    remember(*made);
  }
  return made;
}

// By one thread. Null: errno says why.
GENESYS_KERNEL_OUTLINE inline stream* open_one(ticket_origin from, const char* path, const char* mode,
                                               stream_kind kind) {
  const int flags = flags_of(mode);
  if (flags < 0) {
    set_errno(EINVAL);
    return nullptr;
  }
  const os calls(from.whole());
  const int fd = result_of(calls.openat(AT_FDCWD, path, flags, 0666));
  if (fd < 0) return nullptr;
  go_to_end(calls, fd, flags);
  stream* const made = make_stream(from, fd, flags, kind);
  if (made == nullptr) (void)calls.close(fd);
  return made;
}

// For all threads of a scope. Each of them gets the same stream, or null with errno.
template <class Calls>
GENESYS_KERNEL stream* open_for(const Calls& calls, const char* path, const char* mode) {
  using scope = decltype(calls.scope());
  constexpr bool is_shared = !std::is_same_v<scope, thread>;
  static_assert(!std::is_same_v<scope, grid>, "a stream belongs to a thread, a warp or a block");
  const stream_kind kind{is_shared, buffer_bytes_of<scope>, is_shared ? block_threads_max : thread_rank()};
  const ticket_origin from = origin_of(calls.context());
  if constexpr (!is_shared) {
    return open_one(from, path, mode, kind);
  } else {
    const u64 made = once(calls, [&] {
      stream* const one = open_one(from, path, mode, kind);
      return one != nullptr ? reinterpret_cast<u64>(one) : u64{1} << 63 | static_cast<u64>(error_number());
    });
    if (made >> 63 == 0) return reinterpret_cast<stream*>(made);
    set_errno(static_cast<int>(made));
    return nullptr;
  }
}

// Flushes and closes. Returns 0, or EOF with errno. The descriptors 0 to 2 stay open if the stream is a thread's
// standard stream: those of other threads use them. One thread.
GENESYS_KERNEL_OUTLINE inline int close_stream(stream& one) {
  int result = 0;
  with_stream(one, [&] {
    if (!flush(one)) result = EOF;
    if (one.last == direction::reading) forget_unread(one);
  });
  const ticket_origin from = one.from;
  const os calls(from.whole());
  const bool is_of_all = one.is_standard && one.descriptor >= 0 && one.descriptor <= 2;
  if (!is_of_all && result_of(calls.close(one.descriptor)) != 0) result = EOF;
  if (one.is_listed) forget(one);
  drop_buffer(one);
  if (one.is_standard) {
    one.descriptor = -1;  // the library's end leaves it alone
  } else {
    (void)release(from, &one);
  }
  return result;
}

// The stream gets the file `path`. Returns null with errno if there is none; the stream is then closed. The descriptors
// 0 to 2 stay open if the stream is a thread's standard stream: those of other threads use them. One thread.
GENESYS_KERNEL_OUTLINE inline stream* reopen(stream& one, const char* path, const char* mode) {
  const int flags = flags_of(mode);
  const os calls(one.from.whole());
  int fd = -1;
  with_stream(one, [&] {
    (void)flush(one);
    if (one.last == direction::reading) forget_unread(one);
    if (one.descriptor > 2 || !one.is_standard) (void)calls.close(one.descriptor);
    fd = flags < 0 ? result_of(-EINVAL) : result_of(calls.openat(AT_FDCWD, path, flags, 0666));
    one.descriptor = fd;
    one.can_read = (flags & O_ACCMODE) != O_WRONLY;
    one.can_write = (flags & O_ACCMODE) != O_RDONLY;
    one.appends = (flags & O_APPEND) != 0;
    if (fd >= 0) go_to_end(calls, fd, flags);
    drop_buffer(one);
    one.at_end = one.failed = false;
    one.pushed_back = -1;
  });
  if (fd >= 0) return &one;
  const int error = error_number();
  (void)close_stream(one);
  set_errno(error);
  return nullptr;
}

}  // namespace genesys::detail::libc
