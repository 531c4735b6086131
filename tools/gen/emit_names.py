# SPDX-License-Identifier: Apache-2.0
"""names.h: the names of calls and arguments for reports."""

import text
from table import VALUE_TYPES

OUTPUT = "src/trace/generated/names.h"


def emit(table):
    names = "".join(_names(call) for call in table.planned)
    purpose = "Names of calls and arguments for reports. Included by src/trace/decode.cpp only."
    return f"""{text.head(purpose)}#pragma once

#include "genesys/detail/table/generated/plans.h"

namespace genesys::trace {{

// The format in which a report prints an argument.
enum class shown {{ decimal32, unsigned32, decimal64, unsigned64, hex32, hex64, octal32, dirfd, pointer }};

struct arg_names {{
  const char* name;
  shown as;
}};

struct call_names {{
  const char* name;
  arg_names args[detail::args_max];
}};

// In the order of plan_id.
inline constexpr call_names names[detail::plan_count] = {{
{names}}};

}}  // namespace genesys::trace
"""


def _names(call):
    args = [
        f'{{"{arg.name}", shown::{"pointer" if arg.is_pointer else VALUE_TYPES[arg.type].shown}}}' for arg in call.args
    ]
    line = f'    {{"{call.base}", {{{", ".join(args)}}}}},\n'
    if len(line) <= text.WIDTH + 1:
        return line
    lines, width = [f'    {{"{call.base}",', "     {"], text.WIDTH - len("}},")
    for arg in args:
        if len(lines[-1]) + len(arg) > width:
            lines.append("      ")
        lines[-1] += f"{arg}, "
    return "\n".join(line.rstrip(" ") for line in lines).rstrip(",") + "}},\n"
