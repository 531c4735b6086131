// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/prepared_kernel.h"

#include <algorithm>

#include "schedule/rewrite/variable_table.h"

namespace genesys::schedule {
namespace {

kernel_text text_with(std::string_view text, std::string_view kernel, variant wanted) {
  kernel_text result;
  rewritten made =
      rewrite(text, [&](const kernel_verdict& each) { return each.name == kernel ? wanted : variant::none; });
  for (const kernel_rewrite& each : made.kernels) {
    if (each.name != kernel) continue;
    result.made = each.made;
    result.context_offset = each.context_offset;
    result.times_offset = each.times_offset;
    if (each.made == variant::none) result.why_not = why_not(each);
  }
  if (result.made == variant::none) return result;
  with_table reaching = through_table(made.ptx, kernel);
  if (!reaching.why_not.empty()) {
    result = {};
    result.why_not = std::move(reaching.why_not);
    return result;
  }
  result.ptx = std::move(reaching.ptx);
  result.table = std::move(reaching.table);
  result.variables = std::move(reaching.variables);
  return result;
}

}  // namespace

bool prepare(std::string_view text, std::string_view kernel, prepared_kernel& into) {
  const std::vector<kernel_verdict> all = classify(text);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == kernel; });
  if (found == all.end()) return false;
  into.verdict = *found;
  into.timed = text_with(text, kernel, variant::timed_loops);
  if (found->is_preemptible) {
    into.polls = text_with(text, kernel, variant::loops);
  } else {
    into.polls.why_not = "it is not preemptible";
  }
  return true;
}

}  // namespace genesys::schedule
