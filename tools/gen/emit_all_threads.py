# SPDX-License-Identifier: Apache-2.0
"""all_threads.h: the calls that Linux applies to one thread, and the C library to all threads of the process."""

import text
from table import POINTED_VALUES, VALUE_TYPES

OUTPUT = "src/execute/generated/all_threads.h"


def emit(table):
    cases = "".join(_case(call) for call in table.planned if call.all_threads)
    purpose = (
        "The calls that the C library's functions apply to all threads of the process. Included by "
        "src/execute/executor.cpp only."
    )
    return f"""{text.head(purpose)}#pragma once

#include <grp.h>
#include <unistd.h>

#include <cerrno>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {{

// Makes the call by the C library's function of its name. Returns its result, or -errno. Any thread.
inline i64 call_for_all_threads(u32 number, const u64 (&args)[6]) {{
  int result = -1;
  errno = ENOSYS;
  switch (number) {{
{cases}    default:
      break;
  }}
  return result == -1 ? -errno : result;
}}

}}  // namespace genesys::detail
"""


def _case(call):
    arguments = [_argument(i, arg) for i, arg in enumerate(call.args)]
    return f"    case number::{call.base}:\n{_made(call, arguments)}      break;\n"


def _made(call, arguments):
    begin = f"      result = ::{call.base}("
    return text.filled(begin, [f"{part}, " for part in arguments[:-1]] + [arguments[-1] + ");"], len(begin)) + "\n"


def _argument(i, arg):
    if arg.is_pointer:
        return f"reinterpret_cast<const {POINTED_VALUES[arg.type][0]}*>(args[{i}])"
    return f"static_cast<{VALUE_TYPES[arg.type].c_type}>(args[{i}])"
