// SPDX-License-Identifier: Apache-2.0
// Loops that only wait for an mbarrier of the own block. How often they go round differs between runs; nothing else
// depends on it.
#pragma once

#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

// For each instruction: it is in such a loop.
std::vector<char> pure_wait_loops(const function& one, const flow_graph& graph);

}  // namespace genesys::schedule
