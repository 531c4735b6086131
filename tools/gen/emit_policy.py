# SPDX-License-Identifier: Apache-2.0
"""policy/generated/calls.h: what the policy needs to know of each call."""

import text

OUTPUT = "src/policy/generated/calls.h"


def emit(table):
    calls = "".join(_call(call) for call in table.planned)
    domains = sorted({call.domain for call in table.planned})
    names = text.filled("    ", [f'"{name}", ' for name in domains], 4)
    return f"""{text.head("What the policy needs to know of each call, in the order of plan_id.")}#pragma once

#include "policy/call.h"

namespace genesys::detail {{

inline constexpr policy_call policy_calls[plan_count] = {{
{calls}}};

inline constexpr const char* policy_domains[] = {{
{names}
}};

}}  // namespace genesys::detail
"""


def _call(call):
    fields = [f'.name = "{call.name}"', f'.domain = "{call.domain}"']
    fields += [f".{name} = true" for name in ("io", "closes") if getattr(call, name)]
    if call.result == "fd" or call.new_fd:
        fields.append(".new_fd = true")
    for arg in call.args:
        if arg.type == "fd" and arg.is_pointer:
            fields.append(f".fds_arg = {call.index(arg.name)}")
        elif arg.type == "pollfd" and arg.is_buffer:
            fields.append(f".pollfds_arg = {call.index(arg.name)}")
        elif arg.type == "sockaddr" and arg.direction == "in":
            fields.append(f".address_arg = {call.index(arg.name)}")
    if call.paths:
        paths = [_path(call, arg) for arg in call.paths]
        fields += [".paths = {" + paths[0], *paths[1:]]
        fields[-1] += "}"
    return text.filled("    {", [f"{part}, " for part in fields[:-1]] + [fields[-1] + "},"], 5) + "\n"


def _path(call, arg):
    directory = call.directory_of(arg)
    fields = [f".arg = {call.index(arg.name)}"]
    if directory:
        fields.append(f".directory_arg = {call.index(directory.name)}")
    if arg.nofollow:
        fields.append(".follows = false")
    if arg.unless:
        fields.append(f".flags_arg = {call.index(arg.unless)}, .flag = {arg.unless_flag:#x}")
    return "{" + ", ".join(fields) + "}"
