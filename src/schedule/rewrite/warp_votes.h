// SPDX-License-Identifier: Apache-2.0
// Where the lanes of a warp can decide together to leave: before steps that all lanes of the warp take together anyway.
#pragma once

#include <string>
#include <vector>

#include "schedule/classify/flow_graph.h"
#include "schedule/rewrite/fused_pairs.h"
#include "schedule/rewrite/natural_loops.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {

// All places of a kernel at which the lanes of a warp must vote if they vote at one of them; before these instructions.
// A lane's n-th step meets the n-th step of the others, whatever instructions those are. So it must be certain that
// each lane votes before the same steps: before every one, or before the first of each block if all blocks with steps
// have as many.
struct warp_votes {
  std::vector<int> before;
  std::string why_not;  // if it cannot be done
};

warp_votes warp_votes_of(const function& one, const flow_graph& graph, const loop_forest& forest,
                         const fused_pairs& pairs, const std::vector<sync_point>& syncs);

}  // namespace genesys::schedule
