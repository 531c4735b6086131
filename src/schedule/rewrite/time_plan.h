// SPDX-License-Identifier: Apache-2.0
// Where the threads of one kernel end, so that their time can be measured there; or why it cannot.
#pragma once

#include <string>
#include <vector>

#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {

struct time_plan {
  std::vector<int> ends;            // instructions: `ret` and `exit`, with and without a guard
  bool comes_to_the_brace = false;  // a thread may come to the end of the body without one
  std::string why_not;              // empty: it can be measured
};

time_plan times_of(const function& one, callees& called);

}  // namespace genesys::schedule
