// SPDX-License-Identifier: Apache-2.0
// Whether all threads of a block go the same way. A value is uniform if all threads of a block compute the same one in
// the same iteration; what is not known to be uniform is divergent.
#pragma once

#include <unordered_set>
#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

// True only if all threads of a block meet these instructions in one order: the n-th one that a thread executes is the
// same instruction in every thread that executes n of them.
// `divergent`: if not null and the answer is true, it gets all registers that are not known to be uniform.
bool meet_in_one_order(const function& one, const flow_graph& graph, const std::vector<int>& instructions,
                       std::unordered_set<int>* divergent = nullptr);

}  // namespace genesys::schedule
