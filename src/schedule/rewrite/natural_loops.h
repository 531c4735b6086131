// SPDX-License-Identifier: Apache-2.0
// Dominators and natural loops of a flow graph. A cycle with two ways in is no natural loop: it is irreducible.
#pragma once

#include <utility>
#include <vector>

#include "schedule/classify/flow_graph.h"

namespace genesys::schedule {

struct natural_loop {
  int header = 0;
  std::vector<int> blocks;   // sorted; the header included
  std::vector<int> latches;  // blocks that jump back to the header
  int parent = -1;           // the smallest loop around it
  bool is_innermost = true;

  bool has(int block) const;
};

class loop_forest {
 public:
  explicit loop_forest(const flow_graph& graph);

  const std::vector<natural_loop>& loops() const { return loops_; }
  // Headers of cycles that are no natural loops: one block of each.
  const std::vector<int>& irreducible() const { return irreducible_; }
  // False for blocks that are never reached.
  bool dominates(int above, int below) const;
  int immediate_dominator(int block) const { return dominator_[block]; }  // -1: not known
  bool is_reached(int block) const { return order_[block] >= 0; }
  // The smallest loop around the block; -1: none.
  int innermost(int block) const { return innermost_[block]; }

 private:
  void number_blocks(const flow_graph& graph);
  void find_dominators();
  void find_loops(const flow_graph& graph);
  void nest();

  std::vector<std::vector<int>> before_;  // predecessors that are reached
  std::vector<int> order_;                // in reverse post order; -1: not reached
  std::vector<int> by_order_;
  std::vector<int> dominator_;                 // the immediate one
  std::vector<int> depth_;                     // in the tree of dominators
  std::vector<std::pair<int, int>> backward_;  // retreating edges of the search
  std::vector<natural_loop> loops_;
  std::vector<int> irreducible_, innermost_;
};

}  // namespace genesys::schedule
