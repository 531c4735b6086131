// SPDX-License-Identifier: Apache-2.0
// One text in PTX with the kernels of a module and, under other names, some of them with polls. Both use the variables
// of the one module that the text becomes, so a kernel with variables can be aborted, too.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "schedule/rewrite/rewrite.h"

namespace genesys::schedule::standin {

// Behind the name of a kernel with polls.
inline constexpr char shared_suffix[] = "__genesys_with_polls";

struct shared_text {
  std::string ptx;                                // empty: no kernel got polls
  std::map<std::string, kernel_rewrite> kernels;  // those that are there twice, by their own names
};

// `kernels`: those that are wanted with polls.
shared_text text_with_both(std::string_view ptx, variant wanted, const std::set<std::string>& kernels);

}  // namespace genesys::schedule::standin
