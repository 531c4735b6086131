// SPDX-License-Identifier: Apache-2.0
// POSIX <dirent.h>: reading folders, over getdents64(2), for kernels. A folder is read by one thread at a time. errno
// as in the manual pages (section 3).
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "genesys/posix/malloc.h"
#include "genesys/posix/stdlib.h"

namespace genesys::posix {

// A folder that is read. It is memory of malloc().
struct folder_stream {
  detail::libc::ticket_origin from;
  int descriptor;
  unsigned at, end;  // of the entries that getdents64 gave
  long position;     // in the folder, after the entry that readdir() gave
  static constexpr unsigned buffer_bytes = 4000;
  alignas(8) unsigned char entries[buffer_bytes];
};
using DIR = folder_stream;

}  // namespace genesys::posix

namespace genesys::detail::libc {

GENESYS_KERNEL posix::DIR* read_folder(const os& calls, int fd) {
  using posix::DIR;
  auto* const made = static_cast<DIR*>(posix::malloc(calls, sizeof(DIR)));
  if (made == nullptr) return nullptr;
  made->from = origin_of(calls.context());
  made->descriptor = fd;
  made->at = made->end = 0;
  made->position = 0;
  return made;
}

}  // namespace genesys::detail::libc

namespace genesys::posix {

GENESYS_KERNEL_OUTLINE inline DIR* fdopendir(const os& calls, int fd) {
  struct stat what;
  if (detail::libc::result_of(calls.fstat(fd, &what)) < 0) return nullptr;
  if (!S_ISDIR(what.st_mode)) return detail::libc::set_errno(ENOTDIR), nullptr;
  return detail::libc::read_folder(calls, fd);
}
GENESYS_KERNEL_OUTLINE inline DIR* fdopendir(int fd) { return fdopendir(detail::libc::ambient(), fd); }

GENESYS_KERNEL DIR* opendir(const os& calls, const char* path) {
  const int fd = detail::libc::result_of(calls.openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd < 0) return nullptr;
  DIR* const made = detail::libc::read_folder(calls, fd);
  if (made == nullptr) (void)calls.close(fd);
  return made;
}
GENESYS_KERNEL_OUTLINE inline DIR* opendir(const char* path) { return opendir(detail::libc::ambient(), path); }

// The next entry, which is valid until the next call; null at the end, and after an error, which sets errno.
GENESYS_KERNEL_OUTLINE inline struct dirent* readdir(DIR* of) {
  if (of->at >= of->end) {
    const os calls(of->from.whole());
    void* into = of->entries;
#if GENESYS_ON_CUDA
    asm("" : "+l"(into));  // nvcc 13.0 fails ("Broken function found") where it knows that this is inside of `of`
#endif
    const long n = calls.getdents64(of->descriptor, into, DIR::buffer_bytes);
    if (n < 0 && n != -ENOENT) detail::libc::set_errno(static_cast<int>(-n));  // ENOENT: a folder that was removed
    if (n <= 0) return nullptr;
    of->at = 0;
    of->end = static_cast<unsigned>(n);
  }
  auto* const entry = reinterpret_cast<struct dirent*>(of->entries + of->at);  // getdents64 has the same layout
  of->at += entry->d_reclen;
  of->position = entry->d_off;
  return entry;
}
// The place after the last entry, and back to a place that telldir() gave.
GENESYS_KERNEL long telldir(DIR* of) { return of->position; }
GENESYS_KERNEL_OUTLINE inline void seekdir(DIR* of, long position) {
  const os calls(of->from.whole());
  (void)calls.lseek(of->descriptor, position, SEEK_SET);
  of->at = of->end = 0;
  of->position = position;
}
GENESYS_KERNEL void rewinddir(DIR* of) { seekdir(of, 0); }
GENESYS_KERNEL int dirfd(DIR* of) { return of->descriptor; }
GENESYS_KERNEL_OUTLINE inline int closedir(DIR* of) {
  const os calls(of->from.whole());
  const int result = detail::libc::result_of(calls.close(of->descriptor));
  posix::free(calls, of);
  return result;
}

// The order of the entries' names, for scandir().
GENESYS_KERNEL_OUTLINE inline int alphasort(const struct dirent** a, const struct dirent** b) {
  return strcoll((*a)->d_name, (*b)->d_name);
}

// Reads a whole folder. *list gets the entries for which keep() is not 0 (null: all), in the order of compare() (null:
// as they come). The list and each entry are memory of malloc(). Returns their number, or -1 with errno. scandir(3).
GENESYS_KERNEL_OUTLINE inline int scandir(const os& calls, const char* path, struct dirent*** list,
                                          int (*keep)(const struct dirent*),
                                          int (*compare)(const struct dirent**, const struct dirent**)) {
  DIR* const folder = posix::opendir(calls, path);
  if (folder == nullptr) return -1;
  const int error_before = error_number();
  struct dirent** all = nullptr;
  size_t count = 0;
  for (;;) {
    error_number() = 0;
    const struct dirent* const one = posix::readdir(folder);
    if (one == nullptr) break;
    if (keep != nullptr && keep(one) == 0) continue;
    if ((count & (count - 1)) == 0) {  // the list is full: it has space for 1, 2, 4, 8, ... entries
      void* const larger = posix::reallocarray(calls, all, count == 0 ? 1 : 2 * count, sizeof *all);
      if (larger == nullptr) break;
      all = static_cast<struct dirent**>(larger);
    }
    void* const copy = posix::malloc(calls, one->d_reclen);
    if (copy == nullptr) break;
    all[count++] = static_cast<struct dirent*>(posix::memcpy(copy, one, one->d_reclen));
  }
  const int error = error_number();
  (void)posix::closedir(folder);
  if (error != 0) {
    while (count > 0) posix::free(calls, all[--count]);
    posix::free(calls, all);
  }
  error_number() = error != 0 ? error : error_before;
  if (error != 0) return -1;
  if (compare != nullptr) {
    using entries = const struct dirent**;
    posix::qsort(all, count, sizeof *all, [compare](const void* a, const void* b) {
      return compare(static_cast<entries>(const_cast<void*>(a)), static_cast<entries>(const_cast<void*>(b)));
    });
  }
  *list = all;
  return static_cast<int>(count);
}
GENESYS_KERNEL int scandir(const char* path, struct dirent*** list, int (*keep)(const struct dirent*),
                           int (*compare)(const struct dirent**, const struct dirent**)) {
  return scandir(detail::libc::ambient(), path, list, keep, compare);
}

}  // namespace genesys::posix
