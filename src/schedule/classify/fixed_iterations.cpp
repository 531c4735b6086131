// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/fixed_iterations.h"

#include <algorithm>

#include "schedule/classify/address_keys.h"
#include "schedule/classify/opcodes.h"

// An iteration is a way from one block of the loop, the deciding block, back to it. A register is fixed if all that
// changes it in the loop computes from fixed registers alone, and is passed exactly once in every iteration, so that
// its value depends on the number of the iteration only. If every way out of the loop is taken or not by a fixed
// register, in a block that is passed exactly once in every iteration, the number of iterations is fixed. Loops inside
// an iteration are looked at in the same way.

namespace genesys::schedule {
namespace {

// Beyond this many steps no loop counts as fixed.
constexpr std::size_t steps_max = 20'000'000;

bool depends_on_time(const operand& one) {
  if (one.what == operand::kind::special && kind_of_special(one.text) != special::fixed) return true;
  return one.what == operand::kind::other || std::any_of(one.parts.begin(), one.parts.end(), depends_on_time);
}

void add_registers_of(const operand& one, std::vector<int>& into) {
  if (one.what == operand::kind::reg) into.push_back(one.var);
  for (const operand& part : one.parts) add_registers_of(part, into);
}

}  // namespace

fixed_iterations::fixed_iterations(const function& one, const flow_graph& graph)
    : one_(one),
      graph_(graph),
      definitions_(static_cast<std::size_t>(one.end_variable - one.first_variable)),
      next_(graph.blocks.size()),
      before_(graph.blocks.size()) {
  for (std::size_t i = 0; i < one.body.size(); ++i) {
    for (int var : written_registers(one.body[i])) {
      definitions_[var - one.first_variable].push_back(static_cast<int>(i));
    }
  }
  for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
    next_[i] = graph.blocks[i].next;
    for (int to : next_[i]) before_[to].push_back(static_cast<int>(i));
  }
}

bool fixed_iterations::around(int instruction) {
  const int home = graph_.block_of[instruction], number = graph_.blocks[home].loop;
  if (number < 0) return true;
  members loop(graph_.blocks.size(), 0);
  for (std::size_t i = 0; i < loop.size(); ++i) loop[i] = graph_.blocks[i].loop == number;
  for (;;) {
    const int deciding = deciding_block(loop);
    if (deciding < 0 || steps_ > steps_max) return false;
    if (home == deciding || !has_way_back(home, loop, deciding)) return true;
    loop = cycles_through(home, loop, deciding);  // a loop inside an iteration
  }
}

int fixed_iterations::deciding_block(const members& loop) {
  std::vector<int> deciding;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    if (!loop[i]) continue;
    const auto& block = graph_.blocks[i];
    steps_ += static_cast<std::size_t>(block.end - block.first);
    for (int k = block.first; k < block.end; ++k) {
      const effect does = effect_of(one_.body[k]);
      if (does == effect::call || does == effect::not_understood) return -1;  // a callee may end the thread
    }
    const instruction& last = one_.body[block.end - 1];
    const bool is_left = std::any_of(block.next.begin(), block.next.end(), [&](int to) { return !loop[to]; });
    const bool is_last = block.end == static_cast<int>(one_.body.size()) && last.guard != no_variable;
    const bool may_end = is_last || effect_of(last) == effect::leave || effect_of(last) == effect::trap ||
                         std::any_of(last.targets.begin(), last.targets.end(),
                                     [&](int to) { return to == static_cast<int>(one_.body.size()); });
    if (!is_left && !may_end) continue;
    if (last.guard == no_variable || last.opcode == "brx") return -1;
    deciding.push_back(static_cast<int>(i));
  }
  if (deciding.empty()) return -1;  // only what is not seen ends it
  for (int each : deciding) {
    const int guard = one_.body[graph_.blocks[each].end - 1].guard;
    if (!passes_once_an_iteration(each, loop, deciding[0]) || !is_fixed(guard, loop, deciding[0])) return -1;
  }
  return deciding[0];
}

bool fixed_iterations::is_fixed(int var, const members& loop, int once_an_iteration) {
  std::vector<char> is_seen(definitions_.size(), 0);
  std::vector<int> open{var};
  while (!open.empty()) {
    const int at = open.back() - one_.first_variable;
    open.pop_back();
    if (at < 0 || at >= static_cast<int>(definitions_.size())) return false;
    if (is_seen[at]) continue;
    is_seen[at] = 1;
    for (int each : definitions_[at]) {
      ++steps_;
      if (!loop[graph_.block_of[each]]) continue;  // what it is when the thread enters the loop
      const instruction& by = one_.body[each];
      if (!is_fixed_definition(by) || !passes_once_an_iteration(graph_.block_of[each], loop, once_an_iteration))
        return false;
      for (std::size_t i = 1; i < by.operands.size(); ++i) add_registers_of(by.operands[i], open);
    }
  }
  return true;
}

// It computes from its operands alone, or loads a parameter of a kernel.
bool fixed_iterations::is_fixed_definition(const instruction& one) const {
  if (one.guard != no_variable || one.operands.size() < 2) return false;
  if (one.opcode == "ld" && space_of(one) == space::param) {
    return one_.is_entry && one.operands[1].var != no_variable &&
           std::find(one_.parameters.begin(), one_.parameters.end(), one.operands[1].var) != one_.parameters.end();
  }
  return is_function_of_operands(one) && std::none_of(one.operands.begin(), one.operands.end(), depends_on_time);
}

// Every iteration passes it, and no loop inside an iteration does.
bool fixed_iterations::passes_once_an_iteration(int block, const members& loop, int once_an_iteration) {
  return block == once_an_iteration ||
         (!has_way_back(once_an_iteration, loop, block) && !has_way_back(block, loop, once_an_iteration));
}

bool fixed_iterations::has_way_back(int block, const members& loop, int without) {
  return reached(block, loop, without, next_)[block] != 0;
}

fixed_iterations::members fixed_iterations::cycles_through(int block, const members& loop, int without) {
  members result = reached(block, loop, without, next_);
  const members back = reached(block, loop, without, before_);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] && back[i];
  return result;
}

// The blocks behind `from`, or before it; itself only if there is a way back to it.
fixed_iterations::members fixed_iterations::reached(int from, const members& loop, int without,
                                                    const std::vector<std::vector<int>>& by) {
  members result(loop.size(), 0);
  std::vector<int> open{from};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    ++steps_;
    for (int to : by[at]) {
      if (!loop[to] || to == without || result[to]) continue;
      result[to] = 1;
      open.push_back(to);
    }
  }
  return result;
}

}  // namespace genesys::schedule
