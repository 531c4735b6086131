// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. Calls that change every thread of the process.
// Included by src/execute/executor.cpp only.
#pragma once

#include <grp.h>
#include <unistd.h>

#include <cerrno>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Linux's answer, or -errno. Host, any thread.
inline i64 call_for_all_threads(u32 number, const u64 (&args)[6]) {
  int said = -1;
  errno = ENOSYS;
  switch (number) {
    case number::setuid:
      said = ::setuid(static_cast<unsigned>(args[0]));
      break;
    case number::setgid:
      said = ::setgid(static_cast<unsigned>(args[0]));
      break;
    case number::setreuid:
      said = ::setreuid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]));
      break;
    case number::setregid:
      said = ::setregid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]));
      break;
    case number::setresuid:
      said = ::setresuid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]),
                         static_cast<unsigned>(args[2]));
      break;
    case number::setresgid:
      said = ::setresgid(static_cast<unsigned>(args[0]), static_cast<unsigned>(args[1]),
                         static_cast<unsigned>(args[2]));
      break;
    case number::setgroups:
      said = ::setgroups(static_cast<std::size_t>(args[0]),
                         reinterpret_cast<const unsigned*>(args[1]));
      break;
    default:
      break;
  }
  return said == -1 ? -errno : said;
}

}  // namespace genesys::detail
