// SPDX-License-Identifier: Apache-2.0
// The data flow of one function: for each register the pointers that its value may come from, to a fixed point. It does
// not look at the order of instructions: a register has the union of what all its definitions give. That is sound for
// loops, for values that meet after branches, and for registers that are used twice.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "schedule/classify/flow_graph.h"
#include "schedule/classify/opcodes.h"
#include "schedule/classify/summary.h"

namespace genesys::schedule {

class value_flow {
 public:
  // `before`: for each instruction, whether it is a load of what the thread has written (written_before.h).
  value_flow(const function& one, const flow_graph& graph, const std::vector<char>& before, summaries& callees);

  // False: it did not end within its bounds; then nothing is known.
  bool run();

  value of(const operand& one) const;
  value guard_of(const instruction& one) const;   // number() without a guard
  value address_of(const operand& one) const;     // of the operand [..]
  value stored_by(const instruction& one) const;  // st, atom, red: all values that it may write
  // What a callee's value is for this call.
  value at_call(const instruction& call, const value& of_callee) const;
  const summary* callee_of(const instruction& call) const;
  bool passes_nondeterminism(const instruction& call) const;
  // Whether the callee reads memory in which something may differ between runs.
  bool reads_what_differs(const summary& callee) const;

  // Whether an address may be in this space: shared or local memory.
  static bool may_be(const value& address, base::kind what);
  // Whether an address may be in global memory. An address without a base is unknown, so it may.
  static bool may_be_global(const value& address);

  const value& in_shared() const { return in_shared_; }
  std::map<std::pair<int, std::uint64_t>, value> results() const;
  bool waits_in_pure_loop(int instruction) const { return pure_waits_[instruction]; }

 private:
  struct piece {
    value what;
    unsigned bytes = 0;
  };
  using pieces = std::map<std::uint64_t, piece>;  // of a variable in .param space, by offset

  void transfer(int index);
  void compute(const instruction& one);
  value negated(const value& of) const;
  value product(const instruction& one, const operand& a, const operand& b) const;
  value shifted(const instruction& one) const;
  void load(const instruction& one);
  void load_param(const instruction& one, const operand& into, const operand& address, std::uint64_t offset,
                  unsigned bytes);
  value loaded_from(const instruction& one, const value& address, unsigned bytes) const;
  value word_of_parameter(int position, std::uint64_t offset, unsigned bytes) const;
  value any_word_of_parameter(int position, unsigned bytes) const;
  void store(const instruction& one);
  void store_param(const instruction& one);
  void keep(const value& address, space in, const value& stored, bool is_ordered);
  bool is_ordered_store(const instruction& one);
  void call(const instruction& one);
  value passed(const instruction& call, int position, std::uint64_t offset) const;

  void assign(const operand& to, const value& what, const instruction& by);
  unsigned bytes_of(const operand& reg) const;
  int position_of_parameter(int var) const;  // -1: it is no parameter of the function

  const function& one_;
  const std::vector<char>& before_;
  summaries& callees_;
  const module& all_;
  std::vector<value> registers_;
  std::map<int, pieces> params_;  // variables in .param space that the body declares, and results
  value in_shared_, in_local_;
  std::vector<const instruction*> only_definition_;  // of each register; null: it has none or several
  // The only number, and its bytes, that plain stores write to shared memory.
  std::optional<std::pair<std::int64_t, unsigned>> stored_in_shared_;
  bool global_is_nondeterministic_ = false;
  bool changed_ = false;
  std::size_t steps_ = 0;
  std::vector<char> pure_waits_;
};

}  // namespace genesys::schedule
