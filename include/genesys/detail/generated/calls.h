// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. The system calls as typed methods, in the words of
// the manual pages. They only turn arguments into 64-bit words, and call the scope they are part of.
#pragma once

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/detail/generated/plans.h"
#include "genesys/detail/target.h"
#include "genesys/linux_types.h"

namespace genesys::detail {

// The header's structures and constants are Linux's own.
static_assert(sizeof(struct ::stat) == object_bytes::stat);
static_assert(sizeof(struct ::rusage) == object_bytes::rusage);
static_assert(sizeof(struct ::timespec) == object_bytes::timespec);
static_assert(sizeof(struct ::utsname) == object_bytes::utsname);
static_assert(sizeof(::siginfo_t) == object_bytes::siginfo);
static_assert(sizeof(struct ::winsize) == object_bytes::winsize);
static_assert(sizeof(::genesys::linux_termios) == object_bytes::termios);
#if defined(MSG_OOB)
static_assert(MSG_OOB == 0x1);
#endif
#if defined(MSG_DONTWAIT)
static_assert(MSG_DONTWAIT == 0x40);
#endif
#if defined(MSG_ERRQUEUE)
static_assert(MSG_ERRQUEUE == 0x2000);
#endif
#if defined(TCGETS)
static_assert(TCGETS == 0x5401);
#endif
#if defined(TCSETS)
static_assert(TCSETS == 0x5402);
#endif
#if defined(TCSETSW)
static_assert(TCSETSW == 0x5403);
#endif
#if defined(TCSETSF)
static_assert(TCSETSF == 0x5404);
#endif
#if defined(TCSBRK)
static_assert(TCSBRK == 0x5409);
#endif
#if defined(TCXONC)
static_assert(TCXONC == 0x540a);
#endif
#if defined(TCFLSH)
static_assert(TCFLSH == 0x540b);
#endif
#if defined(TIOCGPGRP)
static_assert(TIOCGPGRP == 0x540f);
#endif
#if defined(TIOCGWINSZ)
static_assert(TIOCGWINSZ == 0x5413);
#endif
#if defined(TIOCSWINSZ)
static_assert(TIOCSWINSZ == 0x5414);
#endif
#if defined(FIONREAD)
static_assert(FIONREAD == 0x541b);
#endif
#if defined(FIONBIO)
static_assert(FIONBIO == 0x5421);
#endif
#if defined(FIONCLEX)
static_assert(FIONCLEX == 0x5450);
#endif
#if defined(FIOCLEX)
static_assert(FIOCLEX == 0x5451);
#endif
#if defined(BLKGETSIZE64)
static_assert(BLKGETSIZE64 == 0x80081272);
#endif

// Chooses among the variants of a call.
template <std::uint32_t value>
struct variant {};

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

  // Makes a pipe: what is written to ends[1] is read from ends[0]. `ends`: written. Lanes: the scope's. Result: 0, or
  // -errno. pipe2(2).
  GENESYS_KERNEL auto pipe2(int* ends, int flags = 0) const { return call<plan_id::pipe2>(ends, flags); }

  // ioctl(2) by its request, a constant, which tells what the arguments are: `ioctl<FIONREAD>(fd, n)`. Known are
  // FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, BLKGETSIZE64, TCGETS, TCSETS, TCSETSW, TCSETSF, TCSBRK, TCXONC, TCFLSH,
  // TIOCGPGRP, TIOCGWINSZ, TIOCSWINSZ; the methods below say what each takes. (In a template whose `os` depends on a
  // parameter, C++ wants `os.template ioctl<...>(...)`.)
  template <std::uint32_t chosen, class... Args>
  GENESYS_KERNEL auto ioctl(Args... args) const {
    constexpr bool known = requires(const calls& c, Args... given) { c.ioctl_as(variant<chosen>(), given...); };
    static_assert(known, "genesys does not know this request of ioctl, or not with such arguments: "
                         "it passes no pointer of which it does not know what Linux does with it");
    if constexpr (known) return ioctl_as(variant<chosen>(), args...);
  }

  // ioctl<FIONREAD>(fd, n): Tells how many bytes can be read at once; of a datagram socket, those of the next one. `n`:
  // written. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x541b>, int fd, int* n) const {
    return call<plan_id::ioctl_FIONREAD>(fd, 0x541bu, n);
  }

  // ioctl<FIONBIO>(fd, on): Makes calls on the open file wait (0) or not (1). `on`: read. Lanes: the scope's. Result:
  // 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5421>, int fd, const int* on) const {
    return call<plan_id::ioctl_FIONBIO>(fd, 0x5421u, on);
  }

  // ioctl<FIOCLEX>(fd): Makes execve close the descriptor. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5451>, int fd) const { return call<plan_id::ioctl_FIOCLEX>(fd, 0x5451u); }

  // ioctl<FIONCLEX>(fd): Makes execve keep the descriptor. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5450>, int fd) const { return call<plan_id::ioctl_FIONCLEX>(fd, 0x5450u); }

  // ioctl<BLKGETSIZE64>(fd, bytes): Tells the size of a block device. `bytes`: written. Lanes: the scope's. Result: 0,
  // or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x80081272>, int fd, unsigned long long* bytes) const {
    return call<plan_id::ioctl_BLKGETSIZE64>(fd, 0x80081272u, bytes);
  }

  // ioctl<TCGETS>(fd, settings): Tells a terminal's settings, in Linux's own structure, which is shorter than glibc's.
  // `settings`: written. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5401>, int fd, ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCGETS>(fd, 0x5401u, settings);
  }

  // ioctl<TCSETS>(fd, settings): Changes a terminal's settings. `settings`: read. Lanes: the scope's. Result: 0, or
  // -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5402>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETS>(fd, 0x5402u, settings);
  }

  // ioctl<TCSETSW>(fd, settings): Changes a terminal's settings when its output is out. `settings`: read. Lanes: the
  // scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5403>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETSW>(fd, 0x5403u, settings);
  }

  // ioctl<TCSETSF>(fd, settings): Changes a terminal's settings when its output is out, and forgets its input.
  // `settings`: read. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5404>, int fd, const ::genesys::linux_termios* settings) const {
    return call<plan_id::ioctl_TCSETSF>(fd, 0x5404u, settings);
  }

  // ioctl<TCSBRK>(fd, arg): Waits until a terminal's output is out, and then, if `arg` is 0, sends a break. Lanes: the
  // scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5409>, int fd, int arg) const {
    return call<plan_id::ioctl_TCSBRK>(fd, 0x5409u, arg);
  }

  // ioctl<TCXONC>(fd, action): Holds a terminal's output or input, or lets it go on. Lanes: the scope's. Result: 0, or
  // -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540a>, int fd, int action) const {
    return call<plan_id::ioctl_TCXONC>(fd, 0x540au, action);
  }

  // ioctl<TCFLSH>(fd, queue): Forgets a terminal's input, its output, or both. Lanes: the scope's. Result: 0, or
  // -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540b>, int fd, int queue) const {
    return call<plan_id::ioctl_TCFLSH>(fd, 0x540bu, queue);
  }

  // ioctl<TIOCGPGRP>(fd, group): Tells the foreground process group of the terminal that is the process's own. `group`:
  // written. Lanes: the scope's. Result: 0, or -errno. ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x540f>, int fd, int* group) const {
    return call<plan_id::ioctl_TIOCGPGRP>(fd, 0x540fu, group);
  }

  // ioctl<TIOCGWINSZ>(fd, size): Tells a terminal's size. `size`: written. Lanes: the scope's. Result: 0, or -errno.
  // ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5413>, int fd, struct ::winsize* size) const {
    return call<plan_id::ioctl_TIOCGWINSZ>(fd, 0x5413u, size);
  }

  // ioctl<TIOCSWINSZ>(fd, size): Sets a terminal's size. `size`: read. Lanes: the scope's. Result: 0, or -errno.
  // ioctl(2).
  GENESYS_KERNEL auto ioctl_as(variant<0x5414>, int fd, const struct ::winsize* size) const {
    return call<plan_id::ioctl_TIOCSWINSZ>(fd, 0x5414u, size);
  }

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

  // Makes a socket. Lanes: the scope's. Result: a descriptor, or -errno. socket(2).
  GENESYS_KERNEL auto socket(int domain, int type, int protocol = 0) const {
    return call<plan_id::socket>(domain, type, protocol);
  }

  // Makes two sockets that are connected with each other. `ends`: written. Lanes: the scope's. Result: 0, or -errno.
  // socketpair(2).
  GENESYS_KERNEL auto socketpair(int domain, int type, int protocol, int* ends) const {
    return call<plan_id::socketpair>(domain, type, protocol, ends);
  }

  // Gives a socket its address. `addr`: `addrlen` bytes, read. Lanes: the scope's. Result: 0, or -errno. bind(2).
  GENESYS_KERNEL auto bind(int fd, const struct ::sockaddr* addr, unsigned addrlen) const {
    return call<plan_id::bind>(fd, addr, addrlen);
  }

  // Makes a socket one that takes connections. Lanes: the scope's. Result: 0, or -errno. listen(2).
  GENESYS_KERNEL auto listen(int fd, int backlog) const { return call<plan_id::listen>(fd, backlog); }

  // Takes the next connection: a new socket, and the address of the other end. `addr` (or null): room for `*addrlen`
  // bytes, which becomes the true length, be it more. `addrlen` (or null): read and written. Lanes: the scope's.
  // Result: a descriptor, or -errno. accept4(2).
  GENESYS_KERNEL auto accept4(int fd, struct ::sockaddr* addr = nullptr, unsigned* addrlen = nullptr, int flags = 0) const {
    return call<plan_id::accept4>(fd, addr, addrlen, flags);
  }

  // Connects a socket with an address, or says where its datagrams go from now on. `addr`: `addrlen` bytes, read.
  // Lanes: the scope's. Result: 0, or -errno. connect(2).
  GENESYS_KERNEL auto connect(int fd, const struct ::sockaddr* addr, unsigned addrlen) const {
    return call<plan_id::connect>(fd, addr, addrlen);
  }

  // Tells a socket's own address. `addr`: room for `*addrlen` bytes, which becomes the true length, be it more.
  // `addrlen`: read and written. Lanes: the scope's. Result: 0, or -errno. getsockname(2).
  GENESYS_KERNEL auto getsockname(int fd, struct ::sockaddr* addr, unsigned* addrlen) const {
    return call<plan_id::getsockname>(fd, addr, addrlen);
  }

  // Tells the address that a socket is connected with. `addr`: room for `*addrlen` bytes, which becomes the true
  // length, be it more. `addrlen`: read and written. Lanes: the scope's. Result: 0, or -errno. getpeername(2).
  GENESYS_KERNEL auto getpeername(int fd, struct ::sockaddr* addr, unsigned* addrlen) const {
    return call<plan_id::getpeername>(fd, addr, addrlen);
  }

  // Ends one direction of a connection, or both. Lanes: the scope's. Result: 0, or -errno. shutdown(2).
  GENESYS_KERNEL auto shutdown(int fd, int how) const { return call<plan_id::shutdown>(fd, how); }

  // Sends a message, without an address to where the socket is connected. `buf`: `len` bytes, read. `addr` (or null):
  // `addrlen` bytes, read. Lanes: the scope's. Result: a number of bytes, or -errno. sendto(2).
  GENESYS_KERNEL auto sendto(int fd, const void* buf, std::size_t len, int flags = 0, const struct ::sockaddr* addr = nullptr, unsigned addrlen = 0) const {
    return call<plan_id::sendto>(fd, buf, len, flags, addr, addrlen);
  }

  // Receives a message, and the address of its sender. With MSG_TRUNC the result is the true length of a datagram.
  // `buf`: room for `len` bytes; the result says how many were written. `addr` (or null): room for `*addrlen` bytes,
  // which becomes the true length, be it more. `addrlen` (or null): read and written. Lanes: the scope's. Result: a
  // number of bytes, or -errno. recvfrom(2).
  GENESYS_KERNEL auto recvfrom(int fd, void* buf, std::size_t len, int flags = 0, struct ::sockaddr* addr = nullptr, unsigned* addrlen = nullptr) const {
    return call<plan_id::recvfrom>(fd, buf, len, flags, addr, addrlen);
  }

  // Tells the number of the process. Lanes: the scope's. Result: a number, or -errno. getpid(2).
  GENESYS_KERNEL auto getpid() const { return call<plan_id::getpid>(); }

  // Tells the number of the process's parent. Lanes: the scope's. Result: a number, or -errno. getppid(2).
  GENESYS_KERNEL auto getppid() const { return call<plan_id::getppid>(); }

  // Tells what the process has used of CPU time and memory. `usage`: written. Unlike on the CPU, RUSAGE_THREAD speaks
  // of the host's worker that makes the call. Lanes: the scope's. Result: 0, or -errno. getrusage(2).
  GENESYS_KERNEL auto getrusage(int who, struct ::rusage* usage) const { return call<plan_id::getrusage>(who, usage); }

  // Sends a process a signal with data, si_value; the caller fills in who sends it, si_pid and si_uid. `info`: read.
  // Unlike on the CPU, `info->si_code` must be below 0 (SI_QUEUE) also for the own process, since a worker sends the
  // signal. Lanes: the scope's. Result: 0, or -errno. rt_sigqueueinfo(2).
  GENESYS_KERNEL auto rt_sigqueueinfo(int tgid, int sig, const ::siginfo_t* info) const {
    return call<plan_id::rt_sigqueueinfo>(tgid, sig, info);
  }

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
