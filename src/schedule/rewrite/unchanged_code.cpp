// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/unchanged_code.h"

#include <algorithm>

namespace genesys::schedule {
namespace {

std::string_view text_of(std::string_view text, const instruction& one) {
  return text.substr(one.at.offset, one.end_offset - one.at.offset);
}

// The latch with the label in place of the one operand that it has.
std::string moved(std::string_view text, const instruction& latch, const std::string& label) {
  const std::string_view old = latch.operands.at(0).text;
  const auto at = static_cast<std::uint32_t>(old.data() - text.data());
  std::string result(text.substr(latch.at.offset, at - latch.at.offset));
  result += label;
  result += text.substr(at + old.size(), latch.end_offset - at - old.size());
  return result;
}

// What must be there, in this order.
std::vector<std::string> expected_code(std::string_view text, const function& one, const changed_function& change) {
  std::vector<std::string> result;
  for (int i = 0; i < static_cast<int>(one.body.size()); ++i) {
    if (std::binary_search(change.votes.begin(), change.votes.end(), i)) continue;
    const auto latch = std::find_if(change.latches.begin(), change.latches.end(),
                                    [i](const changed_function::moved_latch& each) { return each.instruction == i; });
    result.push_back(latch == change.latches.end() ? std::string(text_of(text, one.body[i]))
                                                   : moved(text, one.body[i], latch->label));
  }
  return result;
}

// The instructions of `now` without the inserted ones must be the expected ones. What a thread does that leaves stands
// behind all of them.
bool has_same_code(const std::vector<std::string>& expected, std::string_view now_text, const function& now,
                   const changed_function& change, std::string_view prefix) {
  std::size_t next = 0;
  for (const instruction& one : now.body) {
    const std::string_view text = text_of(now_text, one);
    if (next < expected.size() && text == expected[next]) {
      ++next;
      continue;
    }
    if (change.is_changed && (text.find(prefix) != text.npos || next == expected.size())) continue;
    return false;
  }
  return next == expected.size();
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
    if (!has_same_code(expected_code(original_text, before, changes[i]), made, after, changes[i], prefix)) {
      return "instructions of " + std::string(before.name) + " differ";
    }
  }
  return "";
}

}  // namespace genesys::schedule
