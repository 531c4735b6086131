// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. The plan of each system call. The arrays are the
// host's: a kernel uses them in constant expressions, or copies a plan first, `constexpr call_plan plan =
// plan_of<plan_id::read>;`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/generated/numbers.h"
#include "genesys/detail/plan.h"

namespace genesys::detail {

enum class plan_id : std::uint16_t {
  openat,
  close,
  read,
  pread64,
  write,
  pwrite64,
  lseek,
  fstat,
  getdents64,
  ftruncate,
  fsync,
  fdatasync,
  dup,
  unlinkat,
  mkdirat,
  getcwd,
  pipe2,
  ioctl_FIONREAD,
  ioctl_FIONBIO,
  ioctl_FIOCLEX,
  ioctl_FIONCLEX,
  ioctl_BLKGETSIZE64,
  ioctl_TCGETS,
  ioctl_TCSETS,
  ioctl_TCSETSW,
  ioctl_TCSETSF,
  ioctl_TCSBRK,
  ioctl_TCXONC,
  ioctl_TCFLSH,
  ioctl_TIOCGPGRP,
  ioctl_TIOCGWINSZ,
  ioctl_TIOCSWINSZ,
  mmap,
  munmap,
  madvise,
  socket,
  socketpair,
  bind,
  listen,
  accept4,
  connect,
  getsockname,
  getpeername,
  shutdown,
  sendto,
  recvfrom,
  getpid,
  getppid,
  getrusage,
  rt_sigqueueinfo,
  uname,
  getrandom,
  clock_gettime,
  nanosleep,
};

inline constexpr std::uint16_t plan_count = 54;

// What Linux reads or writes of each structure.
namespace object_bytes {
#if defined(__x86_64__)
inline constexpr std::uint16_t stat = 144;
inline constexpr std::uint16_t rusage = 144;
inline constexpr std::uint16_t timespec = 16;
inline constexpr std::uint16_t utsname = 390;
inline constexpr std::uint16_t siginfo = 128;
inline constexpr std::uint16_t winsize = 8;
inline constexpr std::uint16_t termios = 36;
#elif defined(__aarch64__)
inline constexpr std::uint16_t stat = 128;
inline constexpr std::uint16_t rusage = 144;
inline constexpr std::uint16_t timespec = 16;
inline constexpr std::uint16_t utsname = 390;
inline constexpr std::uint16_t siginfo = 128;
inline constexpr std::uint16_t winsize = 8;
inline constexpr std::uint16_t termios = 36;
#else
#error "genesys knows the system calls of x86-64 and arm64 only"
#endif
}  // namespace object_bytes

// In the order of plan_id.
inline constexpr call_plan plans[plan_count] = {
    // openat(dirfd, path, flags, mode)
    {.number = number::openat,
     .args_count = 4,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::string, .dir = direction::in},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}}},
    // close(fd)
    {.number = number::close,
     .args_count = 1,
     .args = {{.kind = arg_kind::fd}}},
    // read(fd, buf, count)
    {.number = number::read,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::argument, .size_arg = 2, .by_result = true},
              {.kind = arg_kind::value}},
     .role = role::consumer,
     .waits = readiness::input,
     .waits_arg = 0},
    // pread64(fd, buf, count, pos)
    {.number = number::pread64,
     .args_count = 4,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::argument, .size_arg = 2, .by_result = true},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .role = role::consumer,
     .split = true,
     .position_arg = 3,
     .size_arg = 2},
    // write(fd, buf, count)
    {.number = number::write,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::in, .size = size_from::argument, .size_arg = 2},
              {.kind = arg_kind::value}},
     .role = role::producer,
     .waits = readiness::output,
     .waits_arg = 0},
    // pwrite64(fd, buf, count, pos)
    {.number = number::pwrite64,
     .args_count = 4,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::in, .size = size_from::argument, .size_arg = 2},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .role = role::producer,
     .split = true,
     .position_arg = 3,
     .size_arg = 2},
    // lseek(fd, offset, whence)
    {.number = number::lseek,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}}},
    // fstat(fd, status)
    {.number = number::fstat,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::stat}},
     .role = role::consumer},
    // getdents64(fd, entries, count)
    {.number = number::getdents64,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::inout,
               .size = size_from::argument, .size_arg = 2, .by_result = true},
              {.kind = arg_kind::value}},
     .role = role::consumer},
    // ftruncate(fd, length)
    {.number = number::ftruncate,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value}}},
    // fsync(fd)
    {.number = number::fsync,
     .args_count = 1,
     .args = {{.kind = arg_kind::fd}}},
    // fdatasync(fd)
    {.number = number::fdatasync,
     .args_count = 1,
     .args = {{.kind = arg_kind::fd}}},
    // dup(fd)
    {.number = number::dup,
     .args_count = 1,
     .args = {{.kind = arg_kind::fd}}},
    // unlinkat(dirfd, path, flags)
    {.number = number::unlinkat,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::string, .dir = direction::in},
              {.kind = arg_kind::value}}},
    // mkdirat(dirfd, path, mode)
    {.number = number::mkdirat,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::string, .dir = direction::in},
              {.kind = arg_kind::value}}},
    // getcwd(buf, size)
    {.number = number::getcwd,
     .args_count = 2,
     .args = {{.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::argument, .size_arg = 1, .by_result = true},
              {.kind = arg_kind::value}},
     .role = role::consumer,
     .quiet = true},
    // pipe2(ends, flags)
    {.number = number::pipe2,
     .args_count = 2,
     .args = {{.kind = arg_kind::object, .dir = direction::out, .size = size_from::fixed, .fixed_bytes = 8},
              {.kind = arg_kind::value}},
     .role = role::consumer},
    // ioctl$FIONREAD(fd, request, n)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out, .size = size_from::fixed, .fixed_bytes = 4}},
     .role = role::consumer,
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x541b},
    // ioctl$FIONBIO(fd, request, on)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in, .size = size_from::fixed, .fixed_bytes = 4}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5421},
    // ioctl$FIOCLEX(fd, request)
    {.number = number::ioctl,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5451},
    // ioctl$FIONCLEX(fd, request)
    {.number = number::ioctl,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5450},
    // ioctl$BLKGETSIZE64(fd, request, bytes)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out, .size = size_from::fixed, .fixed_bytes = 8}},
     .role = role::consumer,
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x80081272},
    // ioctl$TCGETS(fd, request, settings)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::termios}},
     .role = role::consumer,
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5401},
    // ioctl$TCSETS(fd, request, settings)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::termios}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5402},
    // ioctl$TCSETSW(fd, request, settings)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::termios}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5403},
    // ioctl$TCSETSF(fd, request, settings)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::termios}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5404},
    // ioctl$TCSBRK(fd, request, arg)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5409},
    // ioctl$TCXONC(fd, request, action)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x540a},
    // ioctl$TCFLSH(fd, request, queue)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x540b},
    // ioctl$TIOCGPGRP(fd, request, group)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out, .size = size_from::fixed, .fixed_bytes = 4}},
     .role = role::consumer,
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x540f},
    // ioctl$TIOCGWINSZ(fd, request, size)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::winsize}},
     .role = role::consumer,
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5413},
    // ioctl$TIOCSWINSZ(fd, request, size)
    {.number = number::ioctl,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::winsize}},
     .is_variant = true,
     .variant_arg = 1,
     .variant_value = 0x5414},
    // mmap(addr, length, prot, flags, fd, offset)
    {.number = number::mmap,
     .args_count = 6,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::fd},
              {.kind = arg_kind::value}},
     .role = role::consumer,
     .mappings = true},
    // munmap(addr, length)
    {.number = number::munmap,
     .args_count = 2,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .role = role::producer,
     .mappings = true},
    // madvise(addr, length, advice)
    {.number = number::madvise,
     .args_count = 3,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .mappings = true},
    // socket(domain, type, protocol)
    {.number = number::socket,
     .args_count = 3,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}}},
    // socketpair(domain, type, protocol, ends)
    {.number = number::socketpair,
     .args_count = 4,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out, .size = size_from::fixed, .fixed_bytes = 8}},
     .role = role::consumer},
    // bind(fd, addr, addrlen)
    {.number = number::bind,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::in,
               .size = size_from::argument, .size_arg = 2, .bytes_most = 128},
              {.kind = arg_kind::value}}},
    // listen(fd, backlog)
    {.number = number::listen,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value}}},
    // accept4(fd, addr, addrlen, flags)
    {.number = number::accept4,
     .args_count = 4,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::pointed, .size_arg = 2, .bytes_most = 128},
              {.kind = arg_kind::object, .dir = direction::inout, .size = size_from::fixed, .fixed_bytes = 4},
              {.kind = arg_kind::value}},
     .role = role::consumer,
     .waits = readiness::input,
     .waits_arg = 0},
    // connect(fd, addr, addrlen)
    {.number = number::connect,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::in,
               .size = size_from::argument, .size_arg = 2, .bytes_most = 128},
              {.kind = arg_kind::value}}},
    // getsockname(fd, addr, addrlen)
    {.number = number::getsockname,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::pointed, .size_arg = 2, .bytes_most = 128},
              {.kind = arg_kind::object, .dir = direction::inout, .size = size_from::fixed, .fixed_bytes = 4}},
     .role = role::consumer},
    // getpeername(fd, addr, addrlen)
    {.number = number::getpeername,
     .args_count = 3,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::pointed, .size_arg = 2, .bytes_most = 128},
              {.kind = arg_kind::object, .dir = direction::inout, .size = size_from::fixed, .fixed_bytes = 4}},
     .role = role::consumer},
    // shutdown(fd, how)
    {.number = number::shutdown,
     .args_count = 2,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::value}}},
    // sendto(fd, buf, len, flags, addr, addrlen)
    {.number = number::sendto,
     .args_count = 6,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::in, .size = size_from::argument, .size_arg = 2},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::bytes, .dir = direction::in,
               .size = size_from::argument, .size_arg = 5, .bytes_most = 128},
              {.kind = arg_kind::value}},
     .role = role::producer,
     .waits = readiness::output,
     .waits_arg = 0,
     .unless_arg = 3,
     .unless_flags = 0x40},
    // recvfrom(fd, buf, len, flags, addr, addrlen)
    {.number = number::recvfrom,
     .args_count = 6,
     .args = {{.kind = arg_kind::fd},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::argument, .size_arg = 2, .by_result = true},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::pointed, .size_arg = 5, .bytes_most = 128},
              {.kind = arg_kind::object, .dir = direction::inout, .size = size_from::fixed, .fixed_bytes = 4}},
     .role = role::consumer,
     .waits = readiness::input,
     .waits_arg = 0,
     .unless_arg = 3,
     .unless_flags = 0x2041},
    // getpid()
    {.number = number::getpid,
     .quiet = true},
    // getppid()
    {.number = number::getppid,
     .quiet = true},
    // getrusage(who, usage)
    {.number = number::getrusage,
     .args_count = 2,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::rusage}},
     .role = role::consumer,
     .quiet = true},
    // rt_sigqueueinfo(tgid, sig, info)
    {.number = number::rt_sigqueueinfo,
     .args_count = 3,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::siginfo}}},
    // uname(name)
    {.number = number::uname,
     .args_count = 1,
     .args = {{.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::utsname}},
     .role = role::consumer,
     .quiet = true},
    // getrandom(buf, count, flags)
    {.number = number::getrandom,
     .args_count = 3,
     .args = {{.kind = arg_kind::bytes, .dir = direction::out,
               .size = size_from::argument, .size_arg = 1, .by_result = true},
              {.kind = arg_kind::value},
              {.kind = arg_kind::value}},
     .role = role::consumer},
    // clock_gettime(clock, time)
    {.number = number::clock_gettime,
     .args_count = 2,
     .args = {{.kind = arg_kind::value},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::timespec}},
     .role = role::consumer,
     .quiet = true},
    // nanosleep(duration, rem)
    {.number = number::nanosleep,
     .args_count = 2,
     .args = {{.kind = arg_kind::object, .dir = direction::in,
               .size = size_from::fixed, .fixed_bytes = object_bytes::timespec},
              {.kind = arg_kind::object, .dir = direction::out,
               .size = size_from::fixed, .fixed_bytes = object_bytes::timespec, .on_eintr_only = true}},
     .timer = true},
};

// A call's plan. Either side.
template <plan_id id>
inline constexpr call_plan plan_of = plans[static_cast<std::size_t>(id)];

// Where the plan of each number stands, of variants the first one; plan_count: nowhere.
struct places_by_number {
  std::uint16_t place[number::limit];
  constexpr places_by_number() : place{} {
    for (std::uint16_t& none : place) none = plan_count;
    for (std::uint16_t i = plan_count; i-- > 0;) place[plans[i].number] = i;
  }
};
inline constexpr places_by_number by_number;

// Whether the table has the call with this number, be it in some variants only. Host, any thread.
constexpr bool is_planned(std::uint64_t number) {
  return number < number::limit && by_number.place[number] != plan_count;
}

// The plan of the call with this number and these arguments, or null if the table has none. Host, any thread.
constexpr const call_plan* plan_of_call(std::uint64_t number, const std::uint64_t* args) {
  if (!is_planned(number)) return nullptr;
  for (std::size_t i = by_number.place[number]; i < plan_count; ++i) {
    const call_plan& plan = plans[i];
    if (plan.number != number) break;  // variants stand behind one another
    if (!plan.is_variant || static_cast<std::uint32_t>(args[plan.variant_arg]) == plan.variant_value) return &plan;
  }
  return nullptr;
}

}  // namespace genesys::detail
