// SPDX-License-Identifier: Apache-2.0
// A check of a rewritten text: every instruction of the original must still be there, in its order, with the same text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/ptx_module.h"

namespace genesys::schedule {

// Per function of the module the barriers that became votes, by instruction; empty for a function that is as it was.
struct changed_function {
  bool is_changed = false;
  std::vector<int> votes;
};

// Empty: the text is as it must be. Else what is wrong. `prefix` begins all inserted names.
std::string difference(const module& original, std::string_view original_text, std::string_view made,
                       const std::vector<changed_function>& changes, std::string_view prefix);

}  // namespace genesys::schedule
