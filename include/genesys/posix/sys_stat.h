// SPDX-License-Identifier: Apache-2.0
// POSIX <sys/stat.h>: what files are, as in the manual pages (section 2), for kernels. Each function is there twice:
// with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each thread,
// where a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an error.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int stat(const Calls& calls, const char* path, struct ::stat* status) {
  return detail::libc::result_of(calls.stat(path, status));
}
GENESYS_KERNEL_OUTLINE inline int stat(const char* path, struct ::stat* status) {
  return stat(detail::libc::ambient(), path, status);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int lstat(const Calls& calls, const char* path, struct ::stat* status) {
  return detail::libc::result_of(calls.lstat(path, status));
}
GENESYS_KERNEL_OUTLINE inline int lstat(const char* path, struct ::stat* status) {
  return lstat(detail::libc::ambient(), path, status);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fstat(const Calls& calls, int fd, struct ::stat* status) {
  return detail::libc::result_of(calls.fstat(fd, status));
}
GENESYS_KERNEL_OUTLINE inline int fstat(int fd, struct ::stat* status) {
  return fstat(detail::libc::ambient(), fd, status);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fstatat(const Calls& calls, int folder, const char* path, struct ::stat* status, int flags) {
  return detail::libc::result_of(calls.newfstatat(folder, path, status, flags));
}
GENESYS_KERNEL_OUTLINE inline int fstatat(int folder, const char* path, struct ::stat* status, int flags) {
  return fstatat(detail::libc::ambient(), folder, path, status, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int mkdir(const Calls& calls, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.mkdir(path, mode));
}
GENESYS_KERNEL_OUTLINE inline int mkdir(const char* path, mode_t mode) {
  return mkdir(detail::libc::ambient(), path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int mkdirat(const Calls& calls, int folder, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.mkdirat(folder, path, mode));
}
GENESYS_KERNEL_OUTLINE inline int mkdirat(int folder, const char* path, mode_t mode) {
  return mkdirat(detail::libc::ambient(), folder, path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int mkfifo(const Calls& calls, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.mknod(path, S_IFIFO | mode, 0));
}
GENESYS_KERNEL_OUTLINE inline int mkfifo(const char* path, mode_t mode) {
  return mkfifo(detail::libc::ambient(), path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int mkfifoat(const Calls& calls, int folder, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.mknodat(folder, path, S_IFIFO | mode, 0));
}
GENESYS_KERNEL_OUTLINE inline int mkfifoat(int folder, const char* path, mode_t mode) {
  return mkfifoat(detail::libc::ambient(), folder, path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int chmod(const Calls& calls, const char* path, mode_t mode) {
  return detail::libc::result_of(calls.chmod(path, mode));
}
GENESYS_KERNEL_OUTLINE inline int chmod(const char* path, mode_t mode) {
  return chmod(detail::libc::ambient(), path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fchmod(const Calls& calls, int fd, mode_t mode) {
  return detail::libc::result_of(calls.fchmod(fd, mode));
}
GENESYS_KERNEL_OUTLINE inline int fchmod(int fd, mode_t mode) { return fchmod(detail::libc::ambient(), fd, mode); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fchmodat(const Calls& calls, int folder, const char* path, mode_t mode, int flags) {
  return detail::libc::result_of(flags == 0 ? calls.fchmodat(folder, path, mode)
                                            : calls.fchmodat2(folder, path, mode, flags));
}
GENESYS_KERNEL_OUTLINE inline int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  return fchmodat(detail::libc::ambient(), folder, path, mode, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL mode_t umask(const Calls& calls, mode_t mask) {
  return detail::libc::result_of<mode_t>(calls.umask(mask));
}
GENESYS_KERNEL_OUTLINE inline mode_t umask(mode_t mask) { return umask(detail::libc::ambient(), mask); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int utimensat(const Calls& calls, int folder, const char* path, const struct timespec* times,
                             int flags) {
  return detail::libc::result_of(path == nullptr ? -EINVAL : calls.utimensat(folder, path, times, flags));
}
GENESYS_KERNEL_OUTLINE inline int utimensat(int folder, const char* path, const struct timespec* times, int flags) {
  return utimensat(detail::libc::ambient(), folder, path, times, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int futimens(const Calls& calls, int fd, const struct timespec* times) {
  return detail::libc::result_of(fd < 0 ? -EBADF : calls.utimensat(fd, nullptr, times, 0));
}
GENESYS_KERNEL_OUTLINE inline int futimens(int fd, const struct timespec* times) {
  return futimens(detail::libc::ambient(), fd, times);
}

}  // namespace genesys::posix
