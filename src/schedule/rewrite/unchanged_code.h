// SPDX-License-Identifier: Apache-2.0
// A check of a rewritten text: every instruction of the original must still be there, in its order, with the same text,
// and nothing else but inserted code and the copies of loops.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/ptx_module.h"

namespace genesys::schedule {

// What became of a function of the module: which barriers are votes, and which loops are copied.
struct changed_function {
  struct copied_loop {
    int first = 0, latch = 0;  // the body: [first, latch)
    unsigned copies = 1;
  };
  bool is_changed = false;
  std::vector<int> votes;
  std::vector<copied_loop> loops;
};

// Empty: the text is as it must be. Else what is wrong. `prefix` begins all inserted names.
std::string difference(const module& original, std::string_view original_text, std::string_view made,
                       const std::vector<changed_function>& changes, std::string_view prefix);

}  // namespace genesys::schedule
