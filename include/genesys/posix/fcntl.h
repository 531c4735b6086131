// SPDX-License-Identifier: Apache-2.0
// POSIX <fcntl.h>: opening files, and what is done with descriptors, as in the manual pages (section 2), for kernels.
// Each function is there twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and
// without it for each thread, where a library is bound. The threads of the scope call it, and all get the result: -1,
// with errno, after an error.
#pragma once

#include <fcntl.h>

#include <concepts>

#include "genesys/posix/library.h"

namespace genesys::detail::libc {

// By one thread: 0 or -errno.
GENESYS_KERNEL_OUTLINE inline long lock_file(const os& calls, int fd, int command, off_t bytes) {
  struct flock range {};
  range.l_type = command == F_ULOCK ? F_UNLCK : command == F_TEST ? F_RDLCK : F_WRLCK;
  range.l_whence = SEEK_CUR;
  range.l_len = bytes;
  if (command == F_LOCK) return calls.fcntl<F_SETLKW>(fd, &range);
  if (command == F_TLOCK || command == F_ULOCK) return calls.fcntl<F_SETLK>(fd, &range);
  if (command != F_TEST) return -EINVAL;
  const long result = calls.fcntl<F_GETLK>(fd, &range);
  return result < 0 ? result : range.l_type == F_UNLCK ? 0 : -EACCES;
}

}  // namespace genesys::detail::libc

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
    case F_SETOWN:
      return detail::libc::result_of(calls.template fcntl<F_SETOWN>(fd, number));
    case F_GETOWN: {  // Linux's own result for a group looks like an error
      struct f_owner_ex owner {};
      const int result = detail::libc::result_of(calls.template fcntl<F_GETOWN_EX>(fd, &owner));
      return result < 0 ? result : owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
    }
    case F_SETSIG:
      return detail::libc::result_of(calls.template fcntl<F_SETSIG>(fd, number));
    case F_GETSIG:
      return detail::libc::result_of(calls.template fcntl<F_GETSIG>(fd));
    case F_SETLEASE:
      return detail::libc::result_of(calls.template fcntl<F_SETLEASE>(fd, number));
    case F_GETLEASE:
      return detail::libc::result_of(calls.template fcntl<F_GETLEASE>(fd));
    case F_NOTIFY:
      return detail::libc::result_of(calls.template fcntl<F_NOTIFY>(fd, number));
    case F_SETPIPE_SZ:
      return detail::libc::result_of(calls.template fcntl<F_SETPIPE_SZ>(fd, number));
    case F_GETPIPE_SZ:
      return detail::libc::result_of(calls.template fcntl<F_GETPIPE_SZ>(fd));
    case F_ADD_SEALS:
      return detail::libc::result_of(calls.template fcntl<F_ADD_SEALS>(fd, number));
    case F_GET_SEALS:
      return detail::libc::result_of(calls.template fcntl<F_GET_SEALS>(fd));
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
    case F_OFD_GETLK:
      return detail::libc::result_of(calls.template fcntl<F_OFD_GETLK>(fd, lock));
    case F_OFD_SETLK:
      return detail::libc::result_of(calls.template fcntl<F_OFD_SETLK>(fd, lock));
    case F_OFD_SETLKW:
      return detail::libc::result_of(calls.template fcntl<F_OFD_SETLKW>(fd, lock));
    default:
      return detail::libc::result_of(-EINVAL);
  }
}
GENESYS_KERNEL_OUTLINE inline int fcntl(int fd, int command, struct flock* lock) {
  return fcntl(detail::libc::ambient(), fd, command, lock);
}

// Locks or unlocks `bytes` bytes from the descriptor's position on (0: to the end), or looks (F_TEST) whether another
// process has locked them: EACCES. lockf(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int lockf(const Calls& calls, int fd, int command, off_t bytes) {
  return detail::libc::result_of(static_cast<long>(
      detail::libc::once(calls, [&] { return detail::libc::lock_file(os(calls.context()), fd, command, bytes); })));
}
GENESYS_KERNEL_OUTLINE inline int lockf(int fd, int command, off_t bytes) {
  return lockf(detail::libc::ambient(), fd, command, bytes);
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
