// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. The numbers of the system calls on the machine
// compiled for, compared with what its headers say.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace genesys::detail::number {

#if defined(__x86_64__)
inline constexpr std::uint16_t setuid = 105;
inline constexpr std::uint16_t setgid = 106;
inline constexpr std::uint16_t setreuid = 113;
inline constexpr std::uint16_t setregid = 114;
inline constexpr std::uint16_t setresuid = 117;
inline constexpr std::uint16_t setresgid = 119;
inline constexpr std::uint16_t setfsuid = 122;
inline constexpr std::uint16_t setfsgid = 123;
inline constexpr std::uint16_t setgroups = 116;
inline constexpr std::uint16_t capset = 126;
inline constexpr std::uint16_t seccomp = 317;
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
inline constexpr std::uint16_t close_range = 436;
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
inline constexpr std::uint16_t exit = 60;
inline constexpr std::uint16_t exit_group = 231;
inline constexpr std::uint16_t fork = 57;
inline constexpr std::uint16_t vfork = 58;
inline constexpr std::uint16_t clone = 56;
inline constexpr std::uint16_t clone3 = 435;
inline constexpr std::uint16_t execve = 59;
inline constexpr std::uint16_t execveat = 322;
inline constexpr std::uint16_t unshare = 272;
inline constexpr std::uint16_t setns = 308;
inline constexpr std::uint16_t set_tid_address = 218;
inline constexpr std::uint16_t set_robust_list = 273;
inline constexpr std::uint16_t rseq = 334;
inline constexpr std::uint16_t prctl = 157;
inline constexpr std::uint16_t arch_prctl = 158;
inline constexpr std::uint16_t personality = 135;
inline constexpr std::uint16_t modify_ldt = 154;
inline constexpr std::uint16_t iopl = 172;
inline constexpr std::uint16_t ioperm = 173;
inline constexpr std::uint16_t rt_sigreturn = 15;
inline constexpr std::uint16_t rt_sigprocmask = 14;
inline constexpr std::uint16_t rt_sigsuspend = 130;
inline constexpr std::uint16_t sigaltstack = 131;
inline constexpr std::uint16_t uname = 63;
inline constexpr std::uint16_t getrandom = 318;
inline constexpr std::uint16_t clock_gettime = 228;
inline constexpr std::uint16_t nanosleep = 35;
inline constexpr std::uint16_t limit = 437;  // all are smaller
#elif defined(__aarch64__)
inline constexpr std::uint16_t setuid = 146;
inline constexpr std::uint16_t setgid = 144;
inline constexpr std::uint16_t setreuid = 145;
inline constexpr std::uint16_t setregid = 143;
inline constexpr std::uint16_t setresuid = 147;
inline constexpr std::uint16_t setresgid = 149;
inline constexpr std::uint16_t setfsuid = 151;
inline constexpr std::uint16_t setfsgid = 152;
inline constexpr std::uint16_t setgroups = 159;
inline constexpr std::uint16_t capset = 91;
inline constexpr std::uint16_t seccomp = 277;
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
inline constexpr std::uint16_t close_range = 436;
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
inline constexpr std::uint16_t exit = 93;
inline constexpr std::uint16_t exit_group = 94;
inline constexpr std::uint16_t clone = 220;
inline constexpr std::uint16_t clone3 = 435;
inline constexpr std::uint16_t execve = 221;
inline constexpr std::uint16_t execveat = 281;
inline constexpr std::uint16_t unshare = 97;
inline constexpr std::uint16_t setns = 268;
inline constexpr std::uint16_t set_tid_address = 96;
inline constexpr std::uint16_t set_robust_list = 99;
inline constexpr std::uint16_t rseq = 293;
inline constexpr std::uint16_t prctl = 167;
inline constexpr std::uint16_t personality = 92;
inline constexpr std::uint16_t rt_sigreturn = 139;
inline constexpr std::uint16_t rt_sigprocmask = 135;
inline constexpr std::uint16_t rt_sigsuspend = 133;
inline constexpr std::uint16_t sigaltstack = 132;
inline constexpr std::uint16_t uname = 160;
inline constexpr std::uint16_t getrandom = 278;
inline constexpr std::uint16_t clock_gettime = 113;
inline constexpr std::uint16_t nanosleep = 101;
inline constexpr std::uint16_t limit = 437;  // all are smaller
#else
#error "genesys knows the system calls of x86-64 and arm64 only"
#endif

}  // namespace genesys::detail::number

#if !defined(__CUDA_ARCH__)
namespace genesys::detail {

#if defined(SYS_setuid)
static_assert(number::setuid == SYS_setuid, "see table/credentials.sys");
#endif
#if defined(SYS_setgid)
static_assert(number::setgid == SYS_setgid, "see table/credentials.sys");
#endif
#if defined(SYS_setreuid)
static_assert(number::setreuid == SYS_setreuid, "see table/credentials.sys");
#endif
#if defined(SYS_setregid)
static_assert(number::setregid == SYS_setregid, "see table/credentials.sys");
#endif
#if defined(SYS_setresuid)
static_assert(number::setresuid == SYS_setresuid, "see table/credentials.sys");
#endif
#if defined(SYS_setresgid)
static_assert(number::setresgid == SYS_setresgid, "see table/credentials.sys");
#endif
#if defined(SYS_setfsuid)
static_assert(number::setfsuid == SYS_setfsuid, "see table/credentials.sys");
#endif
#if defined(SYS_setfsgid)
static_assert(number::setfsgid == SYS_setfsgid, "see table/credentials.sys");
#endif
#if defined(SYS_setgroups)
static_assert(number::setgroups == SYS_setgroups, "see table/credentials.sys");
#endif
#if defined(SYS_capset)
static_assert(number::capset == SYS_capset, "see table/credentials.sys");
#endif
#if defined(SYS_seccomp)
static_assert(number::seccomp == SYS_seccomp, "see table/credentials.sys");
#endif
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
#if defined(SYS_close_range)
static_assert(number::close_range == SYS_close_range, "see table/files.sys");
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
#if defined(SYS_exit)
static_assert(number::exit == SYS_exit, "see table/process.sys");
#endif
#if defined(SYS_exit_group)
static_assert(number::exit_group == SYS_exit_group, "see table/process.sys");
#endif
#if defined(SYS_fork)
static_assert(number::fork == SYS_fork, "see table/process.sys");
#endif
#if defined(SYS_vfork)
static_assert(number::vfork == SYS_vfork, "see table/process.sys");
#endif
#if defined(SYS_clone)
static_assert(number::clone == SYS_clone, "see table/process.sys");
#endif
#if defined(SYS_clone3)
static_assert(number::clone3 == SYS_clone3, "see table/process.sys");
#endif
#if defined(SYS_execve)
static_assert(number::execve == SYS_execve, "see table/process.sys");
#endif
#if defined(SYS_execveat)
static_assert(number::execveat == SYS_execveat, "see table/process.sys");
#endif
#if defined(SYS_unshare)
static_assert(number::unshare == SYS_unshare, "see table/process.sys");
#endif
#if defined(SYS_setns)
static_assert(number::setns == SYS_setns, "see table/process.sys");
#endif
#if defined(SYS_set_tid_address)
static_assert(number::set_tid_address == SYS_set_tid_address, "see table/process.sys");
#endif
#if defined(SYS_set_robust_list)
static_assert(number::set_robust_list == SYS_set_robust_list, "see table/process.sys");
#endif
#if defined(SYS_rseq)
static_assert(number::rseq == SYS_rseq, "see table/process.sys");
#endif
#if defined(SYS_prctl)
static_assert(number::prctl == SYS_prctl, "see table/process.sys");
#endif
#if defined(SYS_arch_prctl)
static_assert(number::arch_prctl == SYS_arch_prctl, "see table/process.sys");
#endif
#if defined(SYS_personality)
static_assert(number::personality == SYS_personality, "see table/process.sys");
#endif
#if defined(SYS_modify_ldt)
static_assert(number::modify_ldt == SYS_modify_ldt, "see table/process.sys");
#endif
#if defined(SYS_iopl)
static_assert(number::iopl == SYS_iopl, "see table/process.sys");
#endif
#if defined(SYS_ioperm)
static_assert(number::ioperm == SYS_ioperm, "see table/process.sys");
#endif
#if defined(SYS_rt_sigreturn)
static_assert(number::rt_sigreturn == SYS_rt_sigreturn, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigprocmask)
static_assert(number::rt_sigprocmask == SYS_rt_sigprocmask, "see table/signals.sys");
#endif
#if defined(SYS_rt_sigsuspend)
static_assert(number::rt_sigsuspend == SYS_rt_sigsuspend, "see table/signals.sys");
#endif
#if defined(SYS_sigaltstack)
static_assert(number::sigaltstack == SYS_sigaltstack, "see table/signals.sys");
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
