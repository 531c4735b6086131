// SPDX-License-Identifier: Apache-2.0
// Multiplications and additions that ptxas makes one operation of, with one rounding, if they stand in one basic block.
// A poll between them would change the last bit of the result.
#pragma once

#include "schedule/ptx_module.h"

namespace genesys::schedule {

// Whether the instruction is of such a kind.
bool may_be_fused(const instruction& one);
// Whether an instruction before `at` and one behind it may be fused; [first, end) is the block.
bool separates_fused_pair(const function& one, int first, int at, int end);

}  // namespace genesys::schedule
