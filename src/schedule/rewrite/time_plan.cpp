// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/time_plan.h"

#include <algorithm>

#include "schedule/classify/opcodes.h"
#include "schedule/rewrite/fused_pairs.h"
#include "schedule/rewrite/natural_loops.h"

namespace genesys::schedule {
namespace {

std::string in_line(const instruction& one) { return " (line " + std::to_string(one.at.line) + ")"; }

// Why threads may end where nothing is measured.
std::string hidden_end(const function& one, callees& called) {
  if (!one.problems.empty()) {
    return one.problems[0].text + " (line " + std::to_string(one.problems[0].at.line) + ")";
  }
  for (const instruction& each : one.body) {
    const effect does = effect_of(each);
    if (does == effect::not_understood) return "an instruction is not understood" + in_line(each);
    if (does == effect::call && called.of(each).may_exit) {
      return "the kernel calls a function that may end the thread" + in_line(each);
    }
  }
  return "";
}

bool may_come_to_the_brace(const function& one) {
  if (one.body.empty()) return true;
  const int count = static_cast<int>(one.body.size());
  const bool is_target = std::any_of(one.body.begin(), one.body.end(), [&](const instruction& each) {
    return std::find(each.targets.begin(), each.targets.end(), count) != each.targets.end();
  });
  const effect last = effect_of(one.body.back());
  const bool stops = last == effect::leave || last == effect::branch || last == effect::trap;
  return is_target || one.body.back().guard != no_variable || !stops;
}

// A measurement at an end with a guard is a branch, as a poll is.
std::string changed_rounding(const function& one, const std::vector<int>& ends) {
  const bool has_guard = std::any_of(ends.begin(), ends.end(), [&](int i) { return one.body[i].guard != no_variable; });
  if (!has_guard) return "";
  const flow_graph graph = graph_of(one);
  const loop_forest forest(graph);
  const fused_pairs pairs(one, graph, forest);
  for (int i : ends) {
    if (one.body[i].guard != no_variable && forest.is_reached(graph.block_of[i]) && pairs.separated_at(i)) {
      return "an end of the kernel stands between operations that are fused" + in_line(one.body[i]);
    }
  }
  return "";
}

}  // namespace

time_plan times_of(const function& one, callees& called) {
  time_plan result;
  result.why_not = hidden_end(one, called);
  if (!result.why_not.empty()) return result;
  for (std::size_t i = 0; i < one.body.size(); ++i) {
    if (effect_of(one.body[i]) == effect::leave) result.ends.push_back(static_cast<int>(i));
  }
  result.comes_to_the_brace = may_come_to_the_brace(one);
  result.why_not = changed_rounding(one, result.ends);
  return result;
}

}  // namespace genesys::schedule
