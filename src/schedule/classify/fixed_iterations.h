// SPDX-License-Identifier: Apache-2.0
// Loops that go round a number of times that is fixed when a thread enters them, whatever memory holds. A load in such
// a loop does not wait for other threads: nothing that they write makes the loop end sooner or later.
#pragma once

#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

class fixed_iterations {
 public:
  fixed_iterations(const function& one, const flow_graph& graph);

  // Whether all loops around an instruction go round a fixed number of times. False also if that is not clear.
  bool around(int instruction);

 private:
  using members = std::vector<char>;  // for each block: it is in the loop

  // A block that a thread passes exactly once in every iteration, and which decides whether there is a further one; -1:
  // what decides may depend on memory, on other threads or on time.
  int deciding_block(const members& loop);
  bool is_fixed(int var, const members& loop, int once_an_iteration);
  bool is_fixed_definition(const instruction& one) const;
  bool passes_once_an_iteration(int block, const members& loop, int once_an_iteration);
  // The blocks that are on a way from a block to itself, without this one.
  members cycles_through(int block, const members& loop, int without);
  bool has_way_back(int block, const members& loop, int without);
  members reached(int from, const members& loop, int without, const std::vector<std::vector<int>>& by);

  const function& one_;
  const flow_graph& graph_;
  std::vector<std::vector<int>> definitions_;  // of each register
  std::vector<std::vector<int>> next_, before_;
  std::size_t steps_ = 0;
};

}  // namespace genesys::schedule
