// SPDX-License-Identifier: Apache-2.0
// Copies of the body of a tight loop, so that a poll is paid for by several iterations:
//
//   LOOP: poll; body; @!%p bra DONE; body; @!%p bra DONE; body; @%p bra LOOP; DONE:
//
// The last body and the branch are those of the original.
#pragma once

#include <string>
#include <string_view>

#include "schedule/ptx_module.h"

namespace genesys::schedule {

// Whether instructions [first, latch) are the whole loop, end in a branch to its start, have no scopes, labels or
// directives in between, and no operations that ptxas might fuse with those of the next iteration.
bool can_be_copied(const function& one, std::string_view text, int first, int latch);

// The copies that stand before the original body. `done`: the label behind the loop.
std::string copies_of(const module& all, const function& one, std::string_view text, int first, int latch,
                      unsigned copies, std::string_view done);

}  // namespace genesys::schedule
