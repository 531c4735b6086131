// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// The calls that the C library's functions apply to all threads of the process. Included by src/execute/executor.cpp
// only.
#pragma once

#include <grp.h>
#include <unistd.h>

#include <cerrno>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Makes the call by the C library's function of its name. Returns its result, or -errno. Any thread.
inline i64 call_for_all_threads(u32 number, const u64 (&args)[6]) {
  int result = -1;
  errno = ENOSYS;
  switch (number) {
    case number::setuid:
      result = ::setuid(static_cast<unsigned>(args[0]));
      break;
    case number::setgid:
      result = ::setgid(static_cast<unsigned>(args[0]));
      break;
    case number::setreuid:
      result = ::setreuid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]));
      break;
    case number::setregid:
      result = ::setregid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]));
      break;
    case number::setresuid:
      result = ::setresuid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]),
                           static_cast<unsigned>(args[2]));
      break;
    case number::setresgid:
      result = ::setresgid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]),
                           static_cast<unsigned>(args[2]));
      break;
    case number::setgroups:
      result = ::setgroups(static_cast<std::size_t>(args[0]),
                           reinterpret_cast<const unsigned*>(args[1]));
      break;
    default:
      break;
  }
  return result == -1 ? -errno : result;
}

}  // namespace genesys::detail
