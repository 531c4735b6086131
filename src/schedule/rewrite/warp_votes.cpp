// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/warp_votes.h"

#include <algorithm>
#include <map>

namespace genesys::schedule {
namespace {

// -1 or 0xffffffff.
bool is_all_lanes(const operand& mask) {
  constexpr std::int64_t all_lanes = 0xffffffff;
  return mask.what == operand::kind::immediate && mask.is_integer && (mask.value == -1 || mask.value == all_lanes);
}

bool names(const operand& one, int reg) {
  return one.var == reg ||
         std::any_of(one.parts.begin(), one.parts.end(), [&](const operand& each) { return names(each, reg); });
}

// Whether the register never holds anything else: each instruction that begins with it moves the mask there. (An
// instruction that only reads its first operand counts as well, which errs to the safe side.)
bool is_all_lanes(const function& in, int reg) {
  bool any = false;
  for (const instruction& each : in.body) {
    const std::size_t results = each.has_two_results ? 2 : 1;
    bool is_written = false;
    for (std::size_t i = 0; i < std::min(results, each.operands.size()); ++i)
      is_written |= names(each.operands[i], reg);
    for (const operand& result : each.results) is_written |= names(result, reg);
    if (!is_written) continue;
    const bool is_mask = each.opcode == "mov" && each.guard == no_variable && each.operands.size() == 2 &&
                         is_all_lanes(each.operands[1]);
    if (!is_mask) return false;
    any = true;
  }
  return any;
}

// Whether all lanes of the warp take the step that have not ended.
bool is_of_all_lanes(const function& in, const instruction& one) {
  if (one.guard != no_variable) return false;
  const bool has_mask = one.opcode == "shfl" || one.opcode == "vote" || one.opcode == "match" ||
                        one.opcode == "redux" || one.opcode == "bar" || one.opcode == "barrier";
  if (!has_mask) return one.has("aligned") && one.has("sync");
  if (!one.has("sync") || one.operands.empty()) return false;
  const operand& mask = one.operands.back();
  return is_all_lanes(mask) || (mask.what == operand::kind::reg && is_all_lanes(in, mask.var));
}

std::string line_of(const instruction& one) { return " (line " + std::to_string(one.at.line) + ")"; }

}  // namespace

warp_votes warp_votes_of(const function& one, const flow_graph& graph, const loop_forest& forest,
                         const fused_pairs& pairs, const std::vector<sync_point>& syncs) {
  warp_votes result;
  std::map<int, std::vector<int>> steps;  // by block
  for (std::size_t i = 0; i < syncs.size(); ++i) {
    if (syncs[i].what != sync::warp || !forest.is_reached(graph.block_of[i])) continue;
    if (!is_of_all_lanes(one, one.body[i])) {
      result.why_not = "a step of a warp may be without some of its lanes" + line_of(one.body[i]);
      return result;
    }
    steps[graph.block_of[i]].push_back(static_cast<int>(i));
  }
  const bool are_even = std::all_of(
      steps.begin(), steps.end(), [&](const auto& each) { return each.second.size() == steps.begin()->second.size(); });
  for (const auto& [block, all] : steps) {
    const std::size_t votes = are_even ? 1 : all.size();
    for (std::size_t k = 0; k < votes; ++k) {
      if (pairs.separated_at(all[k])) {
        result.why_not = "a step of a warp stands between operations that are fused" + line_of(one.body[all[k]]);
        return result;
      }
      result.before.push_back(all[k]);
    }
  }
  return result;
}

}  // namespace genesys::schedule
