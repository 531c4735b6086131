// SPDX-License-Identifier: Apache-2.0
// Multiplications and additions that ptxas makes one operation of, with one rounding. It does so if they stand in one
// basic block, and it makes one block of several by unrolling loops. A poll between the two, or in a loop that ptxas
// would have unrolled, changes the last bit of the result.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/classify/flow_graph.h"
#include "schedule/rewrite/natural_loops.h"

namespace genesys::schedule {

// Whether the instruction is of such a kind.
bool may_be_fused(const instruction& one);

// Where products are on their way to sums, in one function.
class fused_pairs {
 public:
  fused_pairs(const function& one, const flow_graph& graph, const loop_forest& forest);

  // Whether a poll before this instruction may change a rounding: a product from before it goes into a sum behind it,
  // or a loop around it is mixed.
  bool separated_at(int instruction) const;
  // Whether a product of one iteration goes into a sum of the next one, or one goes into the loop or out of it.
  bool is_mixed(int loop) const { return is_mixed_[static_cast<std::size_t>(loop)] != 0; }

 private:
  using set = std::vector<std::uint64_t>;  // of registers, by their numbers in numbers_

  void number_registers();
  void flow_products();
  void flow_uses();
  void mix_loops();
  // What the instruction does to the products that have been made, or to those that are awaited behind it.
  void pass_down(const instruction& by, set& made) const;
  void pass_up(const instruction& by, set& awaited) const;
  bool crosses(int instruction) const;
  int number_of(const operand& reg) const;

  const function& one_;
  const flow_graph& graph_;
  const loop_forest& forest_;
  std::vector<int> numbers_;  // by variable of the function; -1: no product that goes into a sum
  std::size_t count_ = 0;
  bool is_too_large_ = false;        // then every place counts as separated
  std::vector<set> made_, awaited_;  // by block, where it begins
  std::vector<char> is_mixed_;       // by loop
};

}  // namespace genesys::schedule
