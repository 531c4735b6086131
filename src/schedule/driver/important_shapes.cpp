// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/important_shapes.h"

#include <algorithm>

namespace genesys::schedule {
namespace {

// What fits beside both fits beside this, but not the other way round.
launch_shape merged(const launch_shape& a, const launch_shape& b) {
  if (a.resident == 0 || b.resident == 0) return {};
  return {{std::max(a.of.threads, b.of.threads), std::max(a.of.registers, b.of.registers),
           std::max(a.of.shared_bytes, b.of.shared_bytes), std::max(a.of.at_a_time, b.of.at_a_time)},
          std::max(a.resident, b.resident)};
}

}  // namespace

bool important_shapes::add(int nice, const launch_shape& one) {
  std::vector<launch_shape>& all = known_[nice];
  if (std::find(all.begin(), all.end(), one) != all.end()) return false;
  if (all.size() < shapes_max) {
    all.push_back(one);
    return true;
  }
  const launch_shape both = merged(all.back(), one);
  if (both == all.back()) return false;
  all.back() = both;
  return true;
}

bool important_shapes::all_fit_beside(const launch_shape& first, int nice, const multiprocessor_limits& on) const {
  const auto end = known_.lower_bound(nice);
  return end != known_.begin() && std::all_of(known_.begin(), end, [&](const auto& of) {
           return std::all_of(of.second.begin(), of.second.end(),
                              [&](const launch_shape& each) { return fits_beside(first, each, on); });
         });
}

}  // namespace genesys::schedule
