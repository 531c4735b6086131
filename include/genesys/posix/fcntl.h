// SPDX-License-Identifier: Apache-2.0
// POSIX <fcntl.h>: opening files, and what is done with descriptors, as in the manual pages (section 2), for kernels.
// Each function is there twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and
// without it for each thread, where a library is bound. The threads of the scope call it, and all get the result: -1,
// with errno, after an error.
#pragma once

#include <fcntl.h>

#include <concepts>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int open(const Calls& calls, const char* path, int flags, mode_t mode = 0) {
  return detail::libc::result_of(calls.openat(AT_FDCWD, path, flags, mode));
}
GENESYS_KERNEL_OUTLINE inline int open(const char* path, int flags, mode_t mode = 0) {
  return open(detail::libc::ambient(), path, flags, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int openat(const Calls& calls, int folder, const char* path, int flags, mode_t mode = 0) {
  return detail::libc::result_of(calls.openat(folder, path, flags, mode));
}
GENESYS_KERNEL_OUTLINE inline int openat(int folder, const char* path, int flags, mode_t mode = 0) {
  return openat(detail::libc::ambient(), folder, path, flags, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int creat(const Calls& calls, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode));
}
GENESYS_KERNEL_OUTLINE inline int creat(const char* path, mode_t mode) {
  return creat(detail::libc::ambient(), path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fallocate(const Calls& calls, int fd, int mode, off_t at, off_t bytes) {
  return detail::libc::result_of(calls.fallocate(fd, mode, at, bytes));
}
GENESYS_KERNEL_OUTLINE inline int fallocate(int fd, int mode, off_t at, off_t bytes) {
  return fallocate(detail::libc::ambient(), fd, mode, at, bytes);
}

// The commands with an integer or without an argument, and locks. EINVAL: others, which os.fcntl<command>() has.
// fcntl(2).
template <detail::libc::system_calls Calls, std::integral Argument = int>
GENESYS_KERNEL int fcntl(const Calls& calls, int fd, int command, Argument argument = 0) {
  const int number = static_cast<int>(argument);
  switch (command) {
    case F_DUPFD:
      return detail::libc::result_of(calls.template fcntl<F_DUPFD>(fd, number));
    case F_DUPFD_CLOEXEC:
      return detail::libc::result_of(calls.template fcntl<F_DUPFD_CLOEXEC>(fd, number));
    case F_GETFD:
      return detail::libc::result_of(calls.template fcntl<F_GETFD>(fd));
    case F_SETFD:
      return detail::libc::result_of(calls.template fcntl<F_SETFD>(fd, number));
    case F_GETFL:
      return detail::libc::result_of(calls.template fcntl<F_GETFL>(fd));
    case F_SETFL:
      return detail::libc::result_of(calls.template fcntl<F_SETFL>(fd, number));
    default:
      return detail::libc::result_of(-EINVAL);
  }
}
template <std::integral Argument = int>
GENESYS_KERNEL int fcntl(int fd, int command, Argument argument = 0) {
  return fcntl(detail::libc::ambient(), fd, command, argument);
}
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fcntl(const Calls& calls, int fd, int command, struct flock* lock) {
  switch (command) {
    case F_GETLK:
      return detail::libc::result_of(calls.template fcntl<F_GETLK>(fd, lock));
    case F_SETLK:
      return detail::libc::result_of(calls.template fcntl<F_SETLK>(fd, lock));
    case F_SETLKW:
      return detail::libc::result_of(calls.template fcntl<F_SETLKW>(fd, lock));
    default:
      return detail::libc::result_of(-EINVAL);
  }
}
GENESYS_KERNEL_OUTLINE inline int fcntl(int fd, int command, struct flock* lock) {
  return fcntl(detail::libc::ambient(), fd, command, lock);
}

// These return an error number, and leave errno as it is. posix_fadvise(2), posix_fallocate(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int posix_fadvise(const Calls& calls, int fd, off_t at, off_t bytes, int advice) {
  return static_cast<int>(-calls.fadvise64(fd, at, static_cast<size_t>(bytes), advice));
}
GENESYS_KERNEL_OUTLINE inline int posix_fadvise(int fd, off_t at, off_t bytes, int advice) {
  return posix_fadvise(detail::libc::ambient(), fd, at, bytes, advice);
}
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int posix_fallocate(const Calls& calls, int fd, off_t at, off_t bytes) {
  return static_cast<int>(-calls.fallocate(fd, 0, at, bytes));
}
GENESYS_KERNEL_OUTLINE inline int posix_fallocate(int fd, off_t at, off_t bytes) {
  return posix_fallocate(detail::libc::ambient(), fd, at, bytes);
}

}  // namespace genesys::posix
