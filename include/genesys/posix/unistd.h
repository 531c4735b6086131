// SPDX-License-Identifier: Apache-2.0
// POSIX <unistd.h>: descriptors, files and the process, as in the manual pages (section 2), for kernels. Each function
// is there twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it
// for each thread, where a library is bound. The threads of the scope call it, and all get the result: -1, with errno,
// after an error.
#pragma once

#include <asm/termbits.h>
#include <linux/limits.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "genesys/posix/detail/parts.h"
#include "genesys/posix/library.h"
#include "genesys/posix/string.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t read(const Calls& calls, int fd, void* into, size_t bytes) {
  return detail::libc::result_of<ssize_t>(
      detail::libc::in_part(calls, fd, false, bytes, [&](size_t part) { return calls.read(fd, into, part); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t read(int fd, void* into, size_t bytes) {
  return read(detail::libc::ambient(), fd, into, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t write(const Calls& calls, int fd, const void* data, size_t bytes) {
  return detail::libc::result_of<ssize_t>(
      detail::libc::in_part(calls, fd, true, bytes, [&](size_t part) { return calls.write(fd, data, part); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t write(int fd, const void* data, size_t bytes) {
  return write(detail::libc::ambient(), fd, data, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t pread(const Calls& calls, int fd, void* into, size_t bytes, off_t at) {
  return detail::libc::result_of<ssize_t>(calls.pread64(fd, into, bytes, at));
}
GENESYS_KERNEL_OUTLINE inline ssize_t pread(int fd, void* into, size_t bytes, off_t at) {
  return pread(detail::libc::ambient(), fd, into, bytes, at);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t pwrite(const Calls& calls, int fd, const void* data, size_t bytes, off_t at) {
  return detail::libc::result_of<ssize_t>(calls.pwrite64(fd, data, bytes, at));
}
GENESYS_KERNEL_OUTLINE inline ssize_t pwrite(int fd, const void* data, size_t bytes, off_t at) {
  return pwrite(detail::libc::ambient(), fd, data, bytes, at);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int close(const Calls& calls, int fd) {
  return detail::libc::result_of(calls.close(fd));
}
GENESYS_KERNEL_OUTLINE inline int close(int fd) { return close(detail::libc::ambient(), fd); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL off_t lseek(const Calls& calls, int fd, off_t offset, int from) {
  return detail::libc::result_of<off_t>(calls.lseek(fd, offset, from));
}
GENESYS_KERNEL_OUTLINE inline off_t lseek(int fd, off_t offset, int from) {
  return lseek(detail::libc::ambient(), fd, offset, from);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int dup(const Calls& calls, int fd) {
  return detail::libc::result_of(calls.dup(fd));
}
GENESYS_KERNEL_OUTLINE inline int dup(int fd) { return dup(detail::libc::ambient(), fd); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int dup2(const Calls& calls, int fd, int as) {
  return detail::libc::result_of(calls.dup2(fd, as));
}
GENESYS_KERNEL_OUTLINE inline int dup2(int fd, int as) { return dup2(detail::libc::ambient(), fd, as); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int dup3(const Calls& calls, int fd, int as, int flags) {
  return detail::libc::result_of(calls.dup3(fd, as, flags));
}
GENESYS_KERNEL_OUTLINE inline int dup3(int fd, int as, int flags) {
  return dup3(detail::libc::ambient(), fd, as, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int pipe(const Calls& calls, int* ends) {
  return detail::libc::result_of(calls.pipe(ends));
}
GENESYS_KERNEL_OUTLINE inline int pipe(int* ends) { return pipe(detail::libc::ambient(), ends); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int pipe2(const Calls& calls, int* ends, int flags) {
  return detail::libc::result_of(calls.pipe2(ends, flags));
}
GENESYS_KERNEL_OUTLINE inline int pipe2(int* ends, int flags) { return pipe2(detail::libc::ambient(), ends, flags); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int access(const Calls& calls, const char* path, int mode) {
  return detail::libc::result_of(calls.access(path, mode));
}
GENESYS_KERNEL_OUTLINE inline int access(const char* path, int mode) {
  return access(detail::libc::ambient(), path, mode);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int faccessat(const Calls& calls, int folder, const char* path, int mode, int flags) {
  return detail::libc::result_of(flags == 0 ? calls.faccessat(folder, path, mode)
                                            : calls.faccessat2(folder, path, mode, flags));
}
GENESYS_KERNEL_OUTLINE inline int faccessat(int folder, const char* path, int mode, int flags) {
  return faccessat(detail::libc::ambient(), folder, path, mode, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int unlink(const Calls& calls, const char* path) {
  return detail::libc::result_of(calls.unlink(path));
}
GENESYS_KERNEL_OUTLINE inline int unlink(const char* path) { return unlink(detail::libc::ambient(), path); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int unlinkat(const Calls& calls, int folder, const char* path, int flags) {
  return detail::libc::result_of(calls.unlinkat(folder, path, flags));
}
GENESYS_KERNEL_OUTLINE inline int unlinkat(int folder, const char* path, int flags) {
  return unlinkat(detail::libc::ambient(), folder, path, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int rmdir(const Calls& calls, const char* path) {
  return detail::libc::result_of(calls.rmdir(path));
}
GENESYS_KERNEL_OUTLINE inline int rmdir(const char* path) { return rmdir(detail::libc::ambient(), path); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int link(const Calls& calls, const char* path, const char* as) {
  return detail::libc::result_of(calls.link(path, as));
}
GENESYS_KERNEL_OUTLINE inline int link(const char* path, const char* as) {
  return link(detail::libc::ambient(), path, as);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int linkat(const Calls& calls, int folder, const char* path, int as_folder, const char* as, int flags) {
  return detail::libc::result_of(calls.linkat(folder, path, as_folder, as, flags));
}
GENESYS_KERNEL_OUTLINE inline int linkat(int folder, const char* path, int as_folder, const char* as, int flags) {
  return linkat(detail::libc::ambient(), folder, path, as_folder, as, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int symlink(const Calls& calls, const char* target, const char* path) {
  return detail::libc::result_of(calls.symlink(target, path));
}
GENESYS_KERNEL_OUTLINE inline int symlink(const char* target, const char* path) {
  return symlink(detail::libc::ambient(), target, path);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int symlinkat(const Calls& calls, const char* target, int folder, const char* path) {
  return detail::libc::result_of(calls.symlinkat(target, folder, path));
}
GENESYS_KERNEL_OUTLINE inline int symlinkat(const char* target, int folder, const char* path) {
  return symlinkat(detail::libc::ambient(), target, folder, path);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t readlink(const Calls& calls, const char* path, char* into, size_t bytes) {
  return detail::libc::result_of<ssize_t>(calls.readlink(path, into, static_cast<int>(bytes)));
}
GENESYS_KERNEL_OUTLINE inline ssize_t readlink(const char* path, char* into, size_t bytes) {
  return readlink(detail::libc::ambient(), path, into, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t readlinkat(const Calls& calls, int folder, const char* path, char* into, size_t bytes) {
  return detail::libc::result_of<ssize_t>(calls.readlinkat(folder, path, into, static_cast<int>(bytes)));
}
GENESYS_KERNEL_OUTLINE inline ssize_t readlinkat(int folder, const char* path, char* into, size_t bytes) {
  return readlinkat(detail::libc::ambient(), folder, path, into, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int chdir(const Calls& calls, const char* path) {
  return detail::libc::result_of(calls.chdir(path));
}
GENESYS_KERNEL_OUTLINE inline int chdir(const char* path) { return chdir(detail::libc::ambient(), path); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fchdir(const Calls& calls, int fd) {
  return detail::libc::result_of(calls.fchdir(fd));
}
GENESYS_KERNEL_OUTLINE inline int fchdir(int fd) { return fchdir(detail::libc::ambient(), fd); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int chown(const Calls& calls, const char* path, uid_t user, gid_t group) {
  return detail::libc::result_of(calls.chown(path, user, group));
}
GENESYS_KERNEL_OUTLINE inline int chown(const char* path, uid_t user, gid_t group) {
  return chown(detail::libc::ambient(), path, user, group);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fchown(const Calls& calls, int fd, uid_t user, gid_t group) {
  return detail::libc::result_of(calls.fchown(fd, user, group));
}
GENESYS_KERNEL_OUTLINE inline int fchown(int fd, uid_t user, gid_t group) {
  return fchown(detail::libc::ambient(), fd, user, group);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int lchown(const Calls& calls, const char* path, uid_t user, gid_t group) {
  return detail::libc::result_of(calls.lchown(path, user, group));
}
GENESYS_KERNEL_OUTLINE inline int lchown(const char* path, uid_t user, gid_t group) {
  return lchown(detail::libc::ambient(), path, user, group);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fchownat(const Calls& calls, int folder, const char* path, uid_t user, gid_t group, int flags) {
  return detail::libc::result_of(calls.fchownat(folder, path, user, group, flags));
}
GENESYS_KERNEL_OUTLINE inline int fchownat(int folder, const char* path, uid_t user, gid_t group, int flags) {
  return fchownat(detail::libc::ambient(), folder, path, user, group, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int truncate(const Calls& calls, const char* path, off_t bytes) {
  return detail::libc::result_of(calls.truncate(path, bytes));
}
GENESYS_KERNEL_OUTLINE inline int truncate(const char* path, off_t bytes) {
  return truncate(detail::libc::ambient(), path, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int ftruncate(const Calls& calls, int fd, off_t bytes) {
  return detail::libc::result_of(calls.ftruncate(fd, bytes));
}
GENESYS_KERNEL_OUTLINE inline int ftruncate(int fd, off_t bytes) {
  return ftruncate(detail::libc::ambient(), fd, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fsync(const Calls& calls, int fd) {
  return detail::libc::result_of(calls.fsync(fd));
}
GENESYS_KERNEL_OUTLINE inline int fsync(int fd) { return fsync(detail::libc::ambient(), fd); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int fdatasync(const Calls& calls, int fd) {
  return detail::libc::result_of(calls.fdatasync(fd));
}
GENESYS_KERNEL_OUTLINE inline int fdatasync(int fd) { return fdatasync(detail::libc::ambient(), fd); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL pid_t getpid(const Calls& calls) {
  return detail::libc::result_of<pid_t>(calls.getpid());
}
GENESYS_KERNEL_OUTLINE inline pid_t getpid() { return getpid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL pid_t getppid(const Calls& calls) {
  return detail::libc::result_of<pid_t>(calls.getppid());
}
GENESYS_KERNEL_OUTLINE inline pid_t getppid() { return getppid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL uid_t getuid(const Calls& calls) {
  return detail::libc::result_of<uid_t>(calls.getuid());
}
GENESYS_KERNEL_OUTLINE inline uid_t getuid() { return getuid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL uid_t geteuid(const Calls& calls) {
  return detail::libc::result_of<uid_t>(calls.geteuid());
}
GENESYS_KERNEL_OUTLINE inline uid_t geteuid() { return geteuid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL gid_t getgid(const Calls& calls) {
  return detail::libc::result_of<gid_t>(calls.getgid());
}
GENESYS_KERNEL_OUTLINE inline gid_t getgid() { return getgid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL gid_t getegid(const Calls& calls) {
  return detail::libc::result_of<gid_t>(calls.getegid());
}
GENESYS_KERNEL_OUTLINE inline gid_t getegid() { return getegid(detail::libc::ambient()); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int rename(const Calls& calls, const char* path, const char* as) {
  return detail::libc::result_of(calls.rename(path, as));
}
GENESYS_KERNEL_OUTLINE inline int rename(const char* path, const char* as) {
  return rename(detail::libc::ambient(), path, as);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int renameat(const Calls& calls, int folder, const char* path, int as_folder, const char* as) {
  return detail::libc::result_of(calls.renameat(folder, path, as_folder, as));
}
GENESYS_KERNEL_OUTLINE inline int renameat(int folder, const char* path, int as_folder, const char* as) {
  return renameat(detail::libc::ambient(), folder, path, as_folder, as);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t getrandom(const Calls& calls, void* into, size_t bytes, unsigned flags) {
  return detail::libc::result_of<ssize_t>(detail::libc::in_part(
      calls, -1, false, bytes, [&](size_t part) { return calls.getrandom(into, part, static_cast<int>(flags)); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t getrandom(void* into, size_t bytes, unsigned flags) {
  return getrandom(detail::libc::ambient(), into, bytes, flags);
}

// At most 256 random bytes; EIO for more. getentropy(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int getentropy(const Calls& calls, void* into, size_t bytes) {
  if (bytes > 256) return detail::libc::result_of(-EIO);
  return detail::libc::result_of(calls.getrandom(into, bytes, 0)) < 0 ? -1 : 0;  // up to 256 bytes come at once
}
GENESYS_KERNEL_OUTLINE inline int getentropy(void* into, size_t bytes) {
  return getentropy(detail::libc::ambient(), into, bytes);
}

// Linux copies; no data comes to the device. Positions may be null. copy_file_range(2), sendfile(2).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t copy_file_range(const Calls& calls, int in, off_t* from, int out, off_t* to, size_t bytes,
                                       unsigned flags) {
  return detail::libc::result_of<ssize_t>(calls.copy_file_range(in, from, out, to, bytes, static_cast<int>(flags)));
}
GENESYS_KERNEL_OUTLINE inline ssize_t copy_file_range(int in, off_t* from, int out, off_t* to, size_t bytes,
                                                      unsigned flags) {
  return copy_file_range(detail::libc::ambient(), in, from, out, to, bytes, flags);
}
template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t sendfile(const Calls& calls, int out, int in, off_t* from, size_t bytes) {
  return detail::libc::result_of<ssize_t>(calls.sendfile(out, in, from, bytes));
}
GENESYS_KERNEL_OUTLINE inline ssize_t sendfile(int out, int in, off_t* from, size_t bytes) {
  return sendfile(detail::libc::ambient(), out, in, from, bytes);
}

// Whether the descriptor is a terminal. isatty(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int isatty(const Calls& calls, int fd) {
  linux_termios settings;
  return detail::libc::result_of(calls.template ioctl<TCGETS>(fd, &settings)) == 0;
}
GENESYS_KERNEL_OUTLINE inline int isatty(int fd) { return isatty(detail::libc::ambient(), fd); }

// The path of the working folder; null with errno. ENOENT: the folder is not below the root. getcwd(3), whose form with
// a null buffer is not there.
template <detail::libc::system_calls Calls>
GENESYS_KERNEL char* getcwd(const Calls& calls, char* into, size_t bytes) {
  const long length = bytes == 0 ? -EINVAL : calls.getcwd(into, bytes);
  const bool is_below_root = length < 0 || into[0] == '/';
  detail::libc::meet(calls);
  return detail::libc::result_of(is_below_root ? length : -ENOENT) < 0 ? nullptr : into;
}
GENESYS_KERNEL_OUTLINE inline char* getcwd(char* into, size_t bytes) {
  return getcwd(detail::libc::ambient(), into, bytes);
}

// The host's name. ENAMETOOLONG: it has more bytes, and `into` has the first. gethostname(2).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int gethostname(const Calls& calls, char* into, size_t bytes) {
  struct utsname names;
  if (detail::libc::result_of(calls.uname(&names)) < 0) return -1;
  const size_t needed = detail::libc::string_length(names.nodename) + 1;
  posix::memcpy(into, names.nodename, needed < bytes ? needed : bytes);
  detail::libc::meet(calls);
  return detail::libc::result_of(needed <= bytes ? 0 : -ENAMETOOLONG);
}
GENESYS_KERNEL_OUTLINE inline int gethostname(char* into, size_t bytes) {
  return gethostname(detail::libc::ambient(), into, bytes);
}

// Memory is mapped in pages of 4 KiB.
GENESYS_KERNEL int getpagesize() { return 4096; }

}  // namespace genesys::posix
