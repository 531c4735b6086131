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
  mmap,
  munmap,
  madvise,
  getpid,
  getppid,
  getrusage,
  uname,
  getrandom,
  clock_gettime,
  nanosleep,
};

inline constexpr std::size_t plan_count = 26;

// What Linux reads or writes of each structure.
namespace object_bytes {
#if defined(__x86_64__)
inline constexpr std::uint16_t stat = 144;
inline constexpr std::uint16_t rusage = 144;
inline constexpr std::uint16_t timespec = 16;
inline constexpr std::uint16_t utsname = 390;
#elif defined(__aarch64__)
inline constexpr std::uint16_t stat = 128;
inline constexpr std::uint16_t rusage = 144;
inline constexpr std::uint16_t timespec = 16;
inline constexpr std::uint16_t utsname = 390;
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

// The plan of each number, or null.
struct plans_by_number {
  const call_plan* plan[number::limit] = {};
  constexpr plans_by_number() {
    for (const call_plan& known : plans) plan[known.number] = &known;
  }
};
inline constexpr plans_by_number by_number;

// The plan of the call with this number, or null if the table has none. Host, any thread.
constexpr const call_plan* plan_of_number(std::uint64_t number) {
  return number < number::limit ? by_number.plan[number] : nullptr;
}

}  // namespace genesys::detail
