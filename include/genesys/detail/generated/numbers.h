// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. The numbers of the system calls on the machine
// compiled for, compared with what its headers say.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace genesys::detail::number {

#if defined(__x86_64__)
inline constexpr std::uint16_t openat = 257;
inline constexpr std::uint16_t close = 3;
inline constexpr std::uint16_t read = 0;
inline constexpr std::uint16_t pread64 = 17;
inline constexpr std::uint16_t write = 1;
inline constexpr std::uint16_t pwrite64 = 18;
inline constexpr std::uint16_t lseek = 8;
inline constexpr std::uint16_t fstat = 5;
inline constexpr std::uint16_t getdents64 = 217;
inline constexpr std::uint16_t ftruncate = 77;
inline constexpr std::uint16_t fsync = 74;
inline constexpr std::uint16_t fdatasync = 75;
inline constexpr std::uint16_t dup = 32;
inline constexpr std::uint16_t unlinkat = 263;
inline constexpr std::uint16_t mkdirat = 258;
inline constexpr std::uint16_t getcwd = 79;
inline constexpr std::uint16_t pipe2 = 293;
inline constexpr std::uint16_t ioctl = 16;
inline constexpr std::uint16_t mmap = 9;
inline constexpr std::uint16_t munmap = 11;
inline constexpr std::uint16_t madvise = 28;
inline constexpr std::uint16_t socket = 41;
inline constexpr std::uint16_t socketpair = 53;
inline constexpr std::uint16_t bind = 49;
inline constexpr std::uint16_t listen = 50;
inline constexpr std::uint16_t accept4 = 288;
inline constexpr std::uint16_t connect = 42;
inline constexpr std::uint16_t getsockname = 51;
inline constexpr std::uint16_t getpeername = 52;
inline constexpr std::uint16_t shutdown = 48;
inline constexpr std::uint16_t sendto = 44;
inline constexpr std::uint16_t recvfrom = 45;
inline constexpr std::uint16_t getpid = 39;
inline constexpr std::uint16_t getppid = 110;
inline constexpr std::uint16_t getrusage = 98;
inline constexpr std::uint16_t rt_sigqueueinfo = 129;
inline constexpr std::uint16_t uname = 63;
inline constexpr std::uint16_t getrandom = 318;
inline constexpr std::uint16_t clock_gettime = 228;
inline constexpr std::uint16_t nanosleep = 35;
inline constexpr std::uint16_t limit = 319;  // all are smaller
#elif defined(__aarch64__)
inline constexpr std::uint16_t openat = 56;
inline constexpr std::uint16_t close = 57;
inline constexpr std::uint16_t read = 63;
inline constexpr std::uint16_t pread64 = 67;
inline constexpr std::uint16_t write = 64;
inline constexpr std::uint16_t pwrite64 = 68;
inline constexpr std::uint16_t lseek = 62;
inline constexpr std::uint16_t fstat = 80;
inline constexpr std::uint16_t getdents64 = 61;
inline constexpr std::uint16_t ftruncate = 46;
inline constexpr std::uint16_t fsync = 82;
inline constexpr std::uint16_t fdatasync = 83;
inline constexpr std::uint16_t dup = 23;
inline constexpr std::uint16_t unlinkat = 35;
inline constexpr std::uint16_t mkdirat = 34;
inline constexpr std::uint16_t getcwd = 17;
inline constexpr std::uint16_t pipe2 = 59;
inline constexpr std::uint16_t ioctl = 29;
inline constexpr std::uint16_t mmap = 222;
inline constexpr std::uint16_t munmap = 215;
inline constexpr std::uint16_t madvise = 233;
inline constexpr std::uint16_t socket = 198;
inline constexpr std::uint16_t socketpair = 199;
inline constexpr std::uint16_t bind = 200;
inline constexpr std::uint16_t listen = 201;
inline constexpr std::uint16_t accept4 = 242;
inline constexpr std::uint16_t connect = 203;
inline constexpr std::uint16_t getsockname = 204;
inline constexpr std::uint16_t getpeername = 205;
inline constexpr std::uint16_t shutdown = 210;
inline constexpr std::uint16_t sendto = 206;
inline constexpr std::uint16_t recvfrom = 207;
inline constexpr std::uint16_t getpid = 172;
inline constexpr std::uint16_t getppid = 173;
inline constexpr std::uint16_t getrusage = 165;
inline constexpr std::uint16_t rt_sigqueueinfo = 138;
inline constexpr std::uint16_t uname = 160;
inline constexpr std::uint16_t getrandom = 278;
inline constexpr std::uint16_t clock_gettime = 113;
inline constexpr std::uint16_t nanosleep = 101;
inline constexpr std::uint16_t limit = 279;  // all are smaller
#else
#error "genesys knows the system calls of x86-64 and arm64 only"
#endif

}  // namespace genesys::detail::number

#if !defined(__CUDA_ARCH__)
namespace genesys::detail {

#if defined(SYS_openat)
static_assert(number::openat == SYS_openat, "see table/files.sys");
#endif
#if defined(SYS_close)
static_assert(number::close == SYS_close, "see table/files.sys");
#endif
#if defined(SYS_read)
static_assert(number::read == SYS_read, "see table/files.sys");
#endif
#if defined(SYS_pread64)
static_assert(number::pread64 == SYS_pread64, "see table/files.sys");
#endif
#if defined(SYS_write)
static_assert(number::write == SYS_write, "see table/files.sys");
#endif
#if defined(SYS_pwrite64)
static_assert(number::pwrite64 == SYS_pwrite64, "see table/files.sys");
#endif
#if defined(SYS_lseek)
static_assert(number::lseek == SYS_lseek, "see table/files.sys");
#endif
#if defined(SYS_fstat)
static_assert(number::fstat == SYS_fstat, "see table/files.sys");
#endif
#if defined(SYS_getdents64)
static_assert(number::getdents64 == SYS_getdents64, "see table/files.sys");
#endif
#if defined(SYS_ftruncate)
static_assert(number::ftruncate == SYS_ftruncate, "see table/files.sys");
#endif
#if defined(SYS_fsync)
static_assert(number::fsync == SYS_fsync, "see table/files.sys");
#endif
#if defined(SYS_fdatasync)
static_assert(number::fdatasync == SYS_fdatasync, "see table/files.sys");
#endif
#if defined(SYS_dup)
static_assert(number::dup == SYS_dup, "see table/files.sys");
#endif
#if defined(SYS_unlinkat)
static_assert(number::unlinkat == SYS_unlinkat, "see table/files.sys");
#endif
#if defined(SYS_mkdirat)
static_assert(number::mkdirat == SYS_mkdirat, "see table/files.sys");
#endif
#if defined(SYS_getcwd)
static_assert(number::getcwd == SYS_getcwd, "see table/files.sys");
#endif
#if defined(SYS_pipe2)
static_assert(number::pipe2 == SYS_pipe2, "see table/files.sys");
#endif
#if defined(SYS_ioctl)
static_assert(number::ioctl == SYS_ioctl, "see table/ioctl.sys");
#endif
#if defined(SYS_mmap)
static_assert(number::mmap == SYS_mmap, "see table/memory.sys");
#endif
#if defined(SYS_munmap)
static_assert(number::munmap == SYS_munmap, "see table/memory.sys");
#endif
#if defined(SYS_madvise)
static_assert(number::madvise == SYS_madvise, "see table/memory.sys");
#endif
#if defined(SYS_socket)
static_assert(number::socket == SYS_socket, "see table/net.sys");
#endif
#if defined(SYS_socketpair)
static_assert(number::socketpair == SYS_socketpair, "see table/net.sys");
#endif
#if defined(SYS_bind)
static_assert(number::bind == SYS_bind, "see table/net.sys");
#endif
#if defined(SYS_listen)
static_assert(number::listen == SYS_listen, "see table/net.sys");
#endif
#if defined(SYS_accept4)
static_assert(number::accept4 == SYS_accept4, "see table/net.sys");
#endif
#if defined(SYS_connect)
static_assert(number::connect == SYS_connect, "see table/net.sys");
#endif
#if defined(SYS_getsockname)
static_assert(number::getsockname == SYS_getsockname, "see table/net.sys");
#endif
#if defined(SYS_getpeername)
static_assert(number::getpeername == SYS_getpeername, "see table/net.sys");
#endif
#if defined(SYS_shutdown)
static_assert(number::shutdown == SYS_shutdown, "see table/net.sys");
#endif
#if defined(SYS_sendto)
static_assert(number::sendto == SYS_sendto, "see table/net.sys");
#endif
#if defined(SYS_recvfrom)
static_assert(number::recvfrom == SYS_recvfrom, "see table/net.sys");
#endif
#if defined(SYS_getpid)
static_assert(number::getpid == SYS_getpid, "see table/process.sys");
#endif
#if defined(SYS_getppid)
static_assert(number::getppid == SYS_getppid, "see table/process.sys");
#endif
#if defined(SYS_getrusage)
static_assert(number::getrusage == SYS_getrusage, "see table/process.sys");
#endif
#if defined(SYS_rt_sigqueueinfo)
static_assert(number::rt_sigqueueinfo == SYS_rt_sigqueueinfo, "see table/process.sys");
#endif
#if defined(SYS_uname)
static_assert(number::uname == SYS_uname, "see table/system.sys");
#endif
#if defined(SYS_getrandom)
static_assert(number::getrandom == SYS_getrandom, "see table/system.sys");
#endif
#if defined(SYS_clock_gettime)
static_assert(number::clock_gettime == SYS_clock_gettime, "see table/time.sys");
#endif
#if defined(SYS_nanosleep)
static_assert(number::nanosleep == SYS_nanosleep, "see table/time.sys");
#endif

}  // namespace genesys::detail
#endif
