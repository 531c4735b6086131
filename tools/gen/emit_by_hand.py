# SPDX-License-Identifier: Apache-2.0
"""by_hand.h: the calls of which the table does not say all that has to be checked; each has a function of its own."""

import text

OUTPUT = "src/execute/generated/by_hand.h"


def emit(table):
    calls = [call for call in table.planned if call.by_hand]
    arguments = "const user_memory& memory, policy& rules, u64 (&args)[args_max]"
    declared = "".join(f"i64 {call.id}({arguments});\n" for call in calls)
    cases = "".join(
        f"    case plan_id::{call.id}:\n      return by_hand::{call.id}(memory, rules, args);\n" for call in calls
    )
    purpose = "Calls of which the table does not say all that has to be checked."
    return f"""{text.head(purpose)}#pragma once

#include <cerrno>

#include "execute/user_memory.h"
#include "genesys/detail/table/generated/plans.h"
#include "policy/policy.h"

namespace genesys::detail {{

// In src/execute/by_hand/. `args`: as Linux may have them by the plan. Linux's answer, or -errno. Host, any thread.
namespace by_hand {{
{declared}}}  // namespace by_hand

// The same, for a call whose plan says `by_hand`.
inline i64 call_by_hand(const call_plan& plan, const user_memory& memory, policy& rules,
                        u64 (&args)[args_max]) {{
  switch (static_cast<plan_id>(&plan - plans)) {{
{cases}    default:
      return -ENOSYS;
  }}
}}

}}  // namespace genesys::detail
"""
