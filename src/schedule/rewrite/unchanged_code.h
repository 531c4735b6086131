// SPDX-License-Identifier: Apache-2.0
// A check of a rewritten text: every instruction of the original must still be there, in its order, with the same text,
// and nothing else but inserted code. Of a loop that is strip-mined the latch has another target.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

// What became of a function of the module: which barriers are votes, and where latches branch to.
struct changed_function {
  struct moved_latch {
    int instruction = 0;
    std::string label;
  };
  bool is_changed = false;
  std::vector<int> votes;
  std::vector<moved_latch> latches;
};

// Empty: the text is as it must be. Else what is wrong. `prefix` begins all inserted names.
std::string difference(const module& original, std::string_view original_text, std::string_view made,
                       const std::vector<changed_function>& changes, std::string_view prefix);

}  // namespace genesys::schedule
