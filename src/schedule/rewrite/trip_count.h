// SPDX-License-Identifier: Apache-2.0
// How often a loop runs, if it certainly runs a constant number of times. It decides only where a poll is worth its
// cost.
#pragma once

#include <cstdint>

#include "schedule/rewrite/natural_loops.h"

namespace genesys::schedule {

// 0: not known.
std::uint64_t trip_count(const function& one, const flow_graph& graph, const loop_forest& forest,
                         const natural_loop& loop);

}  // namespace genesys::schedule
