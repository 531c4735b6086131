// SPDX-License-Identifier: Apache-2.0
// Ordinary loads in loops that look like waiting for another thread: the loop comes back to the load with the same
// address, and writes nothing meanwhile or has a fence in it, and how often the loop goes round may depend on memory. A
// compiler moves such a load out of the loop, unless the program forbids that.
#pragma once

#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

// For each instruction: it is such a load.
std::vector<char> spin_loads(const function& one, const flow_graph& graph);

}  // namespace genesys::schedule
