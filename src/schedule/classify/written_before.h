// SPDX-License-Identifier: Apache-2.0
// The clobber rule of the paper (section 3.2), for one thread: which loads read only bytes that the same thread has
// written before on every path. Such a load never sees what an aborted run left behind.
#pragma once

#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

// For each instruction: it is a load of that kind.
std::vector<char> written_before(const function& one, const flow_graph& graph, const module& all);

}  // namespace genesys::schedule
