// SPDX-License-Identifier: Apache-2.0
// Makes a system call, by its number and its argument words. Host, any thread.
#pragma once

#include <unistd.h>

#include <cerrno>

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Returns Linux's result, or -errno. Calls the C library's function, which the fuzzed programs and the tests of faults
// replace.
inline i64 call_linux(u32 number, const u64 (&args)[args_max]) {
  const long returned = ::syscall(static_cast<long>(number), args[0], args[1], args[2], args[3], args[4], args[5]);
  return returned == -1 ? -errno : returned;
}

}  // namespace genesys::detail
