// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. The system calls as typed methods, in the words of
// the manual pages. They only turn arguments into 64-bit words, and call the scope they are part of.
#pragma once

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/detail/generated/plans.h"
#include "genesys/detail/target.h"

namespace genesys::detail {

// The header's structures are Linux's own.
static_assert(sizeof(struct ::stat) == object_bytes::stat);
static_assert(sizeof(struct ::rusage) == object_bytes::rusage);
static_assert(sizeof(struct ::timespec) == object_bytes::timespec);
static_assert(sizeof(struct ::utsname) == object_bytes::utsname);

// Base of everything that can be called upon; `Self` says on whose behalf, and has `template <plan_id id> auto
// invoke(std::uint64_t...) const`, which gets every argument as Linux would find it in a register. Each method is
// called by exactly the lanes of the scope that `Self` is bound to, with equal arguments, and gives all of them the
// same result, a long: Linux's, or -errno; with a ticket, that is what its wait() gives, and posted calls give nothing.
// Pointers are the kernel's own, to any memory that it may use; what they point to belongs to the call until it is
// finished.
template <class Self>
struct calls {
  // Opens a file, or creates it with `mode`. `path` ends with a NUL. Lanes: the scope's. Result: a descriptor, or
  // -errno. openat(2).
  GENESYS_KERNEL auto openat(int dirfd, const char* path, int flags, unsigned mode = 0) const {
    return call<plan_id::openat>(dirfd, path, flags, mode);
  }

  // Closes a descriptor. Lanes: the scope's. Result: 0, or -errno. close(2).
  GENESYS_KERNEL auto close(int fd) const { return call<plan_id::close>(fd); }

  // Reads from the descriptor's position on, and moves it. `buf`: room for `count` bytes; the result says how many were
  // written. Lanes: the scope's. Result: a number of bytes, or -errno. read(2).
  GENESYS_KERNEL auto read(int fd, void* buf, std::size_t count) const { return call<plan_id::read>(fd, buf, count); }

  // Reads from `pos` on; the descriptor's own position stays. `buf`: room for `count` bytes; the result says how many
  // were written. Lanes: the scope's. Result: a number of bytes, or -errno. pread64(2).
  GENESYS_KERNEL auto pread64(int fd, void* buf, std::size_t count, off_t pos) const {
    return call<plan_id::pread64>(fd, buf, count, pos);
  }

  // Writes from the descriptor's position on, and moves it. `buf`: `count` bytes, read. Lanes: the scope's. Result: a
  // number of bytes, or -errno. write(2).
  GENESYS_KERNEL auto write(int fd, const void* buf, std::size_t count) const {
    return call<plan_id::write>(fd, buf, count);
  }

  // Writes from `pos` on; the descriptor's own position stays. `buf`: `count` bytes, read. Lanes: the scope's. Result:
  // a number of bytes, or -errno. pwrite64(2).
  GENESYS_KERNEL auto pwrite64(int fd, const void* buf, std::size_t count, off_t pos) const {
    return call<plan_id::pwrite64>(fd, buf, count, pos);
  }

  // Moves the descriptor's position. Lanes: the scope's. Result: the new position, or -errno. lseek(2).
  GENESYS_KERNEL auto lseek(int fd, off_t offset, int whence) const { return call<plan_id::lseek>(fd, offset, whence); }

  // Tells a file's type, size, owner and times. `status`: written. Lanes: the scope's. Result: 0, or -errno. fstat(2).
  GENESYS_KERNEL auto fstat(int fd, struct ::stat* status) const { return call<plan_id::fstat>(fd, status); }

  // Reads the next entries of a directory: records of linux_dirent64, one behind the other. `entries`: room for `count`
  // bytes; the result says how many were written. Lanes: the scope's. Result: a number of bytes, or -errno.
  // getdents64(2).
  GENESYS_KERNEL auto getdents64(int fd, void* entries, unsigned count) const {
    return call<plan_id::getdents64>(fd, entries, count);
  }

  // Cuts or grows a file to `length` bytes. Lanes: the scope's. Result: 0, or -errno. ftruncate(2).
  GENESYS_KERNEL auto ftruncate(int fd, off_t length) const { return call<plan_id::ftruncate>(fd, length); }

  // Waits until a file's data and attributes have reached the disk. Lanes: the scope's. Result: 0, or -errno. fsync(2).
  GENESYS_KERNEL auto fsync(int fd) const { return call<plan_id::fsync>(fd); }

  // Waits until a file's data, and what it takes to find it, have reached the disk. Lanes: the scope's. Result: 0, or
  // -errno. fdatasync(2).
  GENESYS_KERNEL auto fdatasync(int fd) const { return call<plan_id::fdatasync>(fd); }

  // Makes a second descriptor of the same open file. Lanes: the scope's. Result: a descriptor, or -errno. dup(2).
  GENESYS_KERNEL auto dup(int fd) const { return call<plan_id::dup>(fd); }

  // Removes a name; with AT_REMOVEDIR, an empty directory. `path` ends with a NUL. Lanes: the scope's. Result: 0, or
  // -errno. unlinkat(2).
  GENESYS_KERNEL auto unlinkat(int dirfd, const char* path, int flags) const {
    return call<plan_id::unlinkat>(dirfd, path, flags);
  }

  // Makes a directory. `path` ends with a NUL. Lanes: the scope's. Result: 0, or -errno. mkdirat(2).
  GENESYS_KERNEL auto mkdirat(int dirfd, const char* path, unsigned mode) const {
    return call<plan_id::mkdirat>(dirfd, path, mode);
  }

  // Tells the path of the process's working directory; the result counts the NUL. `buf`: room for `size` bytes; the
  // result says how many were written. Lanes: the scope's. Result: a number of bytes, or -errno. getcwd(2).
  GENESYS_KERNEL auto getcwd(void* buf, std::size_t size) const { return call<plan_id::getcwd>(buf, size); }

  // Maps a file, or new memory, until munmap or the runtime's end. Unlike on the CPU, `addr` is not looked at, and
  // genesys::map_device gives device memory: docs/memory.md. Lanes: the scope's. Result: an address, or -errno.
  // mmap(2).
  GENESYS_KERNEL auto mmap(const void* addr, std::size_t length, int prot, int flags, int fd, off_t offset) const {
    return call<plan_id::mmap>(addr, length, prot, flags, fd, offset);
  }

  // Ends a mapping, or part of one. Unlike on the CPU, it reaches only what mmap gave a kernel: a mapping whole, or 2
  // MiB pieces of device memory. Lanes: the scope's. Result: 0, or -errno. munmap(2).
  GENESYS_KERNEL auto munmap(const void* addr, std::size_t length) const { return call<plan_id::munmap>(addr, length); }

  // Says how a mapping will be used, or that it will not be for a while. Unlike on the CPU, it reaches only what mmap
  // gave a kernel, and MADV_DONTNEED device memory only: docs/memory.md. Lanes: the scope's. Result: 0, or -errno.
  // madvise(2).
  GENESYS_KERNEL auto madvise(const void* addr, std::size_t length, int advice) const {
    return call<plan_id::madvise>(addr, length, advice);
  }

  // Tells the number of the process. Lanes: the scope's. Result: a number, or -errno. getpid(2).
  GENESYS_KERNEL auto getpid() const { return call<plan_id::getpid>(); }

  // Tells the number of the process's parent. Lanes: the scope's. Result: a number, or -errno. getppid(2).
  GENESYS_KERNEL auto getppid() const { return call<plan_id::getppid>(); }

  // Tells what the process has used of CPU time and memory. `usage`: written. Unlike on the CPU, RUSAGE_THREAD speaks
  // of the host's worker that makes the call. Lanes: the scope's. Result: 0, or -errno. getrusage(2).
  GENESYS_KERNEL auto getrusage(int who, struct ::rusage* usage) const { return call<plan_id::getrusage>(who, usage); }

  // Tells the system's name, release and machine. `name`: written. Lanes: the scope's. Result: 0, or -errno. uname(2).
  GENESYS_KERNEL auto uname(struct ::utsname* name) const { return call<plan_id::uname>(name); }

  // Fills a buffer with random bytes. `buf`: room for `count` bytes; the result says how many were written. Lanes: the
  // scope's. Result: a number of bytes, or -errno. getrandom(2).
  GENESYS_KERNEL auto getrandom(void* buf, std::size_t count, int flags = 0) const {
    return call<plan_id::getrandom>(buf, count, flags);
  }

  // Tells the time of a clock. `time`: written. Unlike on the CPU, CLOCK_THREAD_CPUTIME_ID speaks of the host's worker
  // that makes the call. Lanes: the scope's. Result: 0, or -errno. clock_gettime(2).
  GENESYS_KERNEL auto clock_gettime(int clock, struct ::timespec* time) const {
    return call<plan_id::clock_gettime>(clock, time);
  }

  // Returns when `duration` has passed. `duration`: read. `rem` (or null): written, only if the result is -EINTR.
  // Lanes: the scope's. Result: 0, or -errno. nanosleep(2).
  GENESYS_KERNEL auto nanosleep(const struct ::timespec* duration, struct ::timespec* rem = nullptr) const {
    return call<plan_id::nanosleep>(duration, rem);
  }

 private:
  template <plan_id id, class... Args>
  GENESYS_KERNEL auto call(Args... args) const {
    return static_cast<const Self&>(*this).template invoke<id>(word(args)...);
  }

  // As Linux finds it in a register: signed integers are extended by their sign.
  template <class T>
  GENESYS_KERNEL static std::uint64_t word(T value) {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<std::uint64_t>(value);
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
};

}  // namespace genesys::detail
