# SPDX-License-Identifier: Apache-2.0
"""execute/generated/ring_calls.h: the calls that io_uring can make, and how."""

import text
from table import URING_FIELDS, URING_OPCODES

OUTPUT = "src/execute/generated/ring_calls.h"


def emit(table):
    calls = "".join(_call(call) for call in table.planned)
    purpose = "The calls that io_uring can make, in the order of plan_id; the others have opcode 0."
    return f"""{text.head(purpose)}#pragma once

#include "execute/ring_call.h"
#include "genesys/detail/generated/plans.h"

namespace genesys::detail {{

inline constexpr ring_call ring_calls[plan_count] = {{
{calls}}};

}}  // namespace genesys::detail
"""


def _call(call):
    if not call.uring:
        return "    {},\n"
    fields = [f".opcode = {URING_OPCODES[call.uring]}"]
    for name in URING_FIELDS:
        said = call.uring_fields.get(name)
        if said is not None:
            place = f".number = {said:#x}" if isinstance(said, int) else f".arg = {call.index(said)}"
            fields.append(f".{name} = {{{place}}}")
    return f"    {{{', '.join(fields)}}},  // {call.name}\n"
