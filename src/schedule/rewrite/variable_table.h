// SPDX-License-Identifier: Apache-2.0
// Kernels with variables of their module (`__device__`, `__constant__`), for a text that becomes a module of its own
// beside the program's: its kernels reach the program's variables through a table of their addresses. The loader fills
// the table once, before the first launch. docs/schedule-rewrite.md says what is covered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace genesys::schedule {

struct with_table {
  std::string ptx;                     // the text as it was, if why_not is not empty or it uses no variables
  std::string table;                   // the name of the table, an array of u64 in constant memory; empty: none
  std::vector<std::string> variables;  // whose addresses it takes, in their order
  std::string why_not;                 // the kernel must not run from this text
};

// For one kernel of the text. Variables that nothing names any more are taken out, so that they exist once.
with_table through_table(std::string_view ptx, std::string_view kernel);

}  // namespace genesys::schedule
