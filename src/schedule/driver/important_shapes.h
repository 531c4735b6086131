// SPDX-License-Identifier: Apache-2.0
// The shapes of what tasks have launched, by nice value: a launch that leaves space for those of all more important
// tasks needs no polls. They outlive their tasks, because a task of that importance may come again. The driver uses it
// under its lock.
#pragma once

#include <map>
#include <vector>

#include "schedule/driver/residency.h"

namespace genesys::schedule {

class important_shapes {
 public:
  // Of one nice value. Beyond that a shape is merged into the last one.
  static constexpr std::size_t shapes_max = 32;

  // Returns whether it was not known. A shape whose blocks are not known fits nowhere.
  bool add(int nice, const launch_shape& one);
  // Whether something is known that is more important than `nice`, and all of it fits beside `first`.
  bool all_fit_beside(const launch_shape& first, int nice, const multiprocessor_limits& on) const;

 private:
  std::map<int, std::vector<launch_shape>> known_;
};

}  // namespace genesys::schedule
