// SPDX-License-Identifier: Apache-2.0
// How long an iteration of a loop takes, in instructions: a guess that decides how often a loop polls, and nothing
// else.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/rewrite/natural_loops.h"
#include "schedule/rewrite/rewrite.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {

class loop_sizes {
 public:
  // `syncs`: of each instruction.
  loop_sizes(const function& one, const flow_graph& graph, const loop_forest& forest,
             const std::vector<sync_point>& syncs, const rewrite_settings& settings)
      : one_(one), graph_(graph), forest_(forest), syncs_(syncs), settings_(settings) {}

  // Each instruction of an inner loop counts once.
  std::uint64_t of(const natural_loop& loop) const;
  // Of each loop, with the iterations of inner loops, which are guessed if they are not known.
  std::vector<std::uint64_t> with_inner_loops() const;
  // In a loop with iterations of this size: in how many of them the clock is read once.
  std::uint32_t passes_for(std::uint64_t size) const;

 private:
  std::uint64_t weight_of(std::size_t i) const;
  bool waits_for_memory(const instruction& one) const;

  const function& one_;
  const flow_graph& graph_;
  const loop_forest& forest_;
  const std::vector<sync_point>& syncs_;
  const rewrite_settings& settings_;
};

}  // namespace genesys::schedule
