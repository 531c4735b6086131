// SPDX-License-Identifier: Apache-2.0
// One kernel of a text in PTX, with all that the scheduler needs of it: its verdict, its text with polls, and its text
// that measures its blocks. Each text becomes a module of its own. A pure function of the text, so it can be kept on
// disk (schedule/cache/). Any thread may call it.
#pragma once

#include <string>
#include <string_view>

#include "schedule/classify/verdict.h"
#include "schedule/rewrite/rewrite.h"

namespace genesys::schedule {

// A text that is loaded beside the program's module.
struct kernel_text {
  std::string ptx;  // empty: there is none, and why_not says why
  variant made = variant::none;
  std::uint32_t context_offset = 0, times_offset = 0;  // kernel_rewrite
  std::string why_not;
  // Variables of the program's module that it uses, and the table of their addresses (variable_table.h).
  std::string table;
  std::vector<std::string> variables;
};

struct prepared_kernel {
  kernel_verdict verdict;
  kernel_text polls, timed;  // timed: with polls, if it can have them
};

// `text`: that has the kernel; others in it cost time (text_parts.h). False: it has no such kernel.
bool prepare(std::string_view text, std::string_view kernel, prepared_kernel& into);

}  // namespace genesys::schedule
