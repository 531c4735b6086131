# SPDX-License-Identifier: Apache-2.0
"""reference.h: what `genesys syscalls` and `genesys man` show for each call, including those never made."""

import json

import emit_calls
import text

OUTPUT = "command/generated/reference.h"


def emit(table):
    planned = {call.name: place for place, call in enumerate(table.planned)}
    entries = "".join(_entry(call, planned.get(call.name)) for call in table.calls)
    purpose = "The descriptions that `genesys syscalls` and `genesys man` show. Included by command/reference.cpp only."
    return f"""{text.head(purpose)}#pragma once

#include "reference.h"

namespace genesys::command {{

// In the order of the table, where the variants of a call are adjacent.
inline constexpr reference references[] = {{
{entries}}};

}}  // namespace genesys::command
"""


def _entry(call, place):
    method, notes = "", ""
    if place is not None:
        parameters = ", ".join(emit_calls.parameter(arg) for arg in call.args if not arg.value)
        variant = f"<{call.selector.value.name}>" if call.is_variant else ""
        method = f"{call.base}{variant}({parameters})"
        notes = "\n".join(emit_calls.about(arg) for arg in call.args if arg.is_pointer)
    numbers = ", ".join("-1" if number is None else str(number) for number in call.numbers.values())
    fields = [call.name, call.base, call.domain, call.text, call.reason or "", call.paper or "", method, notes]
    fields.append(emit_calls.RESULTS[call.result])
    strings = "".join(f",\n     {_quoted(field)}" for field in fields[1:])
    place = -1 if place is None else place
    return f"    {{{_quoted(fields[0])}{strings},\n     call_class::{call.call_class}, {{{numbers}}}, {place}}},\n"


def _quoted(words):
    """A C++ string literal, split into pieces that fit a line."""
    whole = json.dumps(words, ensure_ascii=False)[1:-1]
    room, pieces = text.WIDTH - 10, []
    while len(whole) > room:
        cut = whole.rfind(" ", 0, room) + 1
        pieces.append(whole[:cut])
        whole = whole[cut:]
    return "\n     ".join(f'"{piece}"' for piece in [*pieces, whole])
