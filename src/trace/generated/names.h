// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. Names for reports. Included by
// src/trace/decode.cpp only.
#pragma once

#include "genesys/detail/generated/plans.h"

namespace genesys::trace {

// How an argument is printed.
enum class shown { decimal32, unsigned32, decimal64, unsigned64, hex32, octal32, dirfd, pointer };

struct arg_names {
  const char* name;
  shown as;
};

struct call_names {
  const char* name;
  arg_names args[detail::args_max];
};

// In the order of plan_id.
inline constexpr call_names names[detail::plan_count] = {
    {"openat", {{"dirfd", shown::dirfd}, {"path", shown::pointer}, {"flags", shown::hex32}, {"mode", shown::octal32}}},
    {"close", {{"fd", shown::decimal32}}},
    {"read", {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"count", shown::unsigned64}}},
    {"pread64",
     {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"count", shown::unsigned64}, {"pos", shown::decimal64}}},
    {"write", {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"count", shown::unsigned64}}},
    {"pwrite64",
     {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"count", shown::unsigned64}, {"pos", shown::decimal64}}},
    {"lseek", {{"fd", shown::decimal32}, {"offset", shown::decimal64}, {"whence", shown::decimal32}}},
    {"fstat", {{"fd", shown::decimal32}, {"status", shown::pointer}}},
    {"getdents64", {{"fd", shown::decimal32}, {"entries", shown::pointer}, {"count", shown::unsigned32}}},
    {"ftruncate", {{"fd", shown::decimal32}, {"length", shown::decimal64}}},
    {"fsync", {{"fd", shown::decimal32}}},
    {"fdatasync", {{"fd", shown::decimal32}}},
    {"dup", {{"fd", shown::decimal32}}},
    {"unlinkat", {{"dirfd", shown::dirfd}, {"path", shown::pointer}, {"flags", shown::hex32}}},
    {"mkdirat", {{"dirfd", shown::dirfd}, {"path", shown::pointer}, {"mode", shown::octal32}}},
    {"getcwd", {{"buf", shown::pointer}, {"size", shown::unsigned64}}},
    {"pipe2", {{"ends", shown::pointer}, {"flags", shown::hex32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"n", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"on", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"bytes", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"settings", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"settings", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"settings", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"settings", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"arg", shown::decimal32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"action", shown::decimal32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"queue", shown::decimal32}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"group", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"size", shown::pointer}}},
    {"ioctl", {{"fd", shown::decimal32}, {"request", shown::hex32}, {"size", shown::pointer}}},
    {"mmap",
     {{"addr", shown::pointer}, {"length", shown::unsigned64}, {"prot", shown::hex32}, {"flags", shown::hex32},
      {"fd", shown::decimal32}, {"offset", shown::decimal64}}},
    {"munmap", {{"addr", shown::pointer}, {"length", shown::unsigned64}}},
    {"madvise", {{"addr", shown::pointer}, {"length", shown::unsigned64}, {"advice", shown::decimal32}}},
    {"socket", {{"domain", shown::decimal32}, {"type", shown::hex32}, {"protocol", shown::decimal32}}},
    {"socketpair",
     {{"domain", shown::decimal32}, {"type", shown::hex32}, {"protocol", shown::decimal32}, {"ends", shown::pointer}}},
    {"bind", {{"fd", shown::decimal32}, {"addr", shown::pointer}, {"addrlen", shown::unsigned32}}},
    {"listen", {{"fd", shown::decimal32}, {"backlog", shown::decimal32}}},
    {"accept4",
     {{"fd", shown::decimal32}, {"addr", shown::pointer}, {"addrlen", shown::pointer}, {"flags", shown::hex32}}},
    {"connect", {{"fd", shown::decimal32}, {"addr", shown::pointer}, {"addrlen", shown::unsigned32}}},
    {"getsockname", {{"fd", shown::decimal32}, {"addr", shown::pointer}, {"addrlen", shown::pointer}}},
    {"getpeername", {{"fd", shown::decimal32}, {"addr", shown::pointer}, {"addrlen", shown::pointer}}},
    {"shutdown", {{"fd", shown::decimal32}, {"how", shown::decimal32}}},
    {"sendto",
     {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"len", shown::unsigned64}, {"flags", shown::hex32},
      {"addr", shown::pointer}, {"addrlen", shown::unsigned32}}},
    {"recvfrom",
     {{"fd", shown::decimal32}, {"buf", shown::pointer}, {"len", shown::unsigned64}, {"flags", shown::hex32},
      {"addr", shown::pointer}, {"addrlen", shown::pointer}}},
    {"getpid", {}},
    {"getppid", {}},
    {"getrusage", {{"who", shown::decimal32}, {"usage", shown::pointer}}},
    {"rt_sigqueueinfo", {{"tgid", shown::decimal32}, {"sig", shown::decimal32}, {"info", shown::pointer}}},
    {"uname", {{"name", shown::pointer}}},
    {"getrandom", {{"buf", shown::pointer}, {"count", shown::unsigned64}, {"flags", shown::hex32}}},
    {"clock_gettime", {{"clock", shown::decimal32}, {"time", shown::pointer}}},
    {"nanosleep", {{"duration", shown::pointer}, {"rem", shown::pointer}}},
};

}  // namespace genesys::trace
