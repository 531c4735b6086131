// SPDX-License-Identifier: Apache-2.0
// A system call as the kernel's own number and words have it. Host, any thread.
#pragma once

#include <unistd.h>

#include <cerrno>

#include "genesys/detail/plan.h"
#include "genesys/detail/protocol.h"

namespace genesys::detail {

// Linux's answer, or -errno.
inline i64 call_linux(u32 number, const u64 (&args)[args_max]) {
#if defined(__x86_64__)
  // Not by the C library's function: a return right after a call is costly (executor.cpp), and so is its errno.
  // All are read before the first is put into its register: a sanitizer's call in between would use it, too.
  const u64 a0 = args[0], a1 = args[1], a2 = args[2], a3 = args[3], a4 = args[4], a5 = args[5];
  register u64 fourth asm("r10") = a3;
  register u64 fifth asm("r8") = a4;
  register u64 sixth asm("r9") = a5;
  i64 said = number;
  asm volatile("syscall"
               : "+a"(said)
               : "D"(a0), "S"(a1), "d"(a2), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return said;
#else
  const long said = ::syscall(static_cast<long>(number), args[0], args[1], args[2], args[3], args[4], args[5]);
  return said == -1 ? -errno : said;
#endif
}

}  // namespace genesys::detail
