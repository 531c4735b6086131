// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/unchanged_code.h"

#include <algorithm>

namespace genesys::schedule {
namespace {

std::string_view text_of(std::string_view text, const instruction& one) {
  return text.substr(one.at.offset, one.end_offset - one.at.offset);
}

// The instructions of `now` without the inserted ones must be those of `before`.
bool has_same_code(std::string_view before_text, const function& before, std::string_view now_text, const function& now,
                   const changed_function& change, std::string_view prefix) {
  std::size_t next = 0;
  const auto skip_votes = [&] {
    while (next < before.body.size() &&
           std::binary_search(change.votes.begin(), change.votes.end(), static_cast<int>(next))) {
      ++next;
    }
  };
  skip_votes();
  for (const instruction& one : now.body) {
    const std::string_view text = text_of(now_text, one);
    if (change.is_changed && (text.find(prefix) != text.npos || next == before.body.size())) continue;
    if (next == before.body.size() || text != text_of(before_text, before.body[next])) return false;
    ++next;
    skip_votes();
  }
  return next == before.body.size();
}

}  // namespace

std::string difference(const module& original, std::string_view original_text, std::string_view made,
                       const std::vector<changed_function>& changes, std::string_view prefix) {
  const module now = parse_ptx(made);
  if (!now.problems.empty()) return "the module: " + now.problems[0].text;
  if (now.functions.size() != original.functions.size()) return "the number of functions differs";
  for (std::size_t i = 0; i < now.functions.size(); ++i) {
    const function& before = original.functions[i];
    const function& after = now.functions[i];
    if (changes[i].is_changed && !after.problems.empty()) return after.problems[0].text;
    if (before.name != after.name) return "the order of functions differs";
    if (!has_same_code(original_text, before, made, after, changes[i], prefix)) {
      return "instructions of " + std::string(before.name) + " differ";
    }
  }
  return "";
}

}  // namespace genesys::schedule
