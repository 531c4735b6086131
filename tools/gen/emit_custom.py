# SPDX-License-Identifier: Apache-2.0
"""custom.h: the calls with a custom handler, because a line of the table cannot say all that must be checked."""

import text

OUTPUT = "src/execute/generated/custom.h"


def emit(table):
    calls = [call for call in table.planned if call.custom]
    arguments = "const user_memory& memory, policy& rules, u64 (&args)[args_max]"
    declared = "".join(f"i64 {call.id}({arguments});\n" for call in calls)
    cases = "".join(
        f"    case plan_id::{call.id}:\n      return custom::{call.id}(memory, rules, args);\n" for call in calls
    )
    purpose = "The calls with a custom handler: a line of the table cannot say all that must be checked."
    return f"""{text.head(purpose)}#pragma once

#include <cerrno>

#include "execute/user_memory.h"
#include "genesys/detail/table/generated/plans.h"
#include "policy/policy.h"

namespace genesys::detail {{

// The custom handlers, in src/execute/custom/. The host has already checked `args` as the plan says. Each returns
// Linux's result, or -errno. Any thread.
namespace custom {{
{declared}}}  // namespace custom

// Calls the custom handler of `plan`, whose flag `custom` is set. Same arguments and result.
inline i64 call_custom_handler(const call_plan& plan, const user_memory& memory, policy& rules,
                               u64 (&args)[args_max]) {{
  switch (static_cast<plan_id>(&plan - plans)) {{
{cases}    default:
      return -ENOSYS;
  }}
}}

}}  // namespace genesys::detail
"""
