// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/wait_loops.h"

#include <algorithm>
#include <set>

#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

constexpr std::size_t waits_max = 256;  // of a function; further ones count as impure
constexpr std::size_t blocks_max = 8;   // of a loop

bool only_waits(const instruction& one) {
  const effect does = effect_of(one);
  if (does == effect::branch) return one.opcode == "bra";
  if (does == effect::sleep) return true;
  const bool is_plain = one.opcode == "selp" || one.opcode == "setp" || one.opcode == "mov";
  if (does != effect::wait_result && !is_plain) return false;
  return !one.operands.empty() && one.operands[0].what == operand::kind::reg && !one.has_two_results;
}

class finder {
 public:
  finder(const function& one, const flow_graph& graph) : one_(one), graph_(graph) {}

  // The blocks of the pure loop through this block; none: there is no such loop.
  std::set<int> through(int block) const {
    std::set<int> members;
    std::vector<int> path;
    if (!collect(block, block, path, members)) return {};
    std::set<int> exits;
    for (int member : members) {
      for (int next : graph_.blocks[member].next) {
        if (!members.count(next)) exits.insert(next);
      }
    }
    // With two ways out, time would choose between them.
    return exits.size() == 1 && flags_stay_inside(members) ? members : std::set<int>{};
  }

 private:
  // Adds every pure block on a cycle from `start`. False: the loop is too large.
  bool collect(int at, int start, std::vector<int>& path, std::set<int>& members) const {
    const auto& block = graph_.blocks[at];
    for (int i = block.first; i < block.end; ++i) {
      if (!only_waits(one_.body[i])) return true;
    }
    if (path.size() == blocks_max) return false;
    path.push_back(at);
    for (int next : block.next) {
      if (next == start) members.insert(path.begin(), path.end());
      if (std::find(path.begin(), path.end(), next) != path.end()) continue;
      if (!collect(next, start, path, members)) return false;
    }
    path.pop_back();
    return true;
  }

  // Registers that the loop writes hold only whether the wait has ended; nothing else may read them.
  bool flags_stay_inside(const std::set<int>& members) const {
    std::set<int> flags;
    for (int member : members) {
      for (int i = graph_.blocks[member].first; i < graph_.blocks[member].end; ++i) {
        const instruction& each = one_.body[i];
        const bool writes = effect_of(each) != effect::branch && effect_of(each) != effect::sleep;
        if (writes) flags.insert(each.operands[0].var);
      }
    }
    for (std::size_t i = 0; i < one_.body.size(); ++i) {
      if (!members.count(graph_.block_of[i]) && names_one_of(one_.body[i], flags)) return false;
    }
    return true;
  }

  static bool names_one_of(const instruction& one, const std::set<int>& flags) {
    if (flags.count(one.guard)) return true;
    std::vector<const operand*> open;
    for (const auto* list : {&one.operands, &one.results, &one.inputs}) {
      for (const operand& it : *list) open.push_back(&it);
    }
    while (!open.empty()) {
      const operand* it = open.back();
      open.pop_back();
      if (it->var != no_variable && flags.count(it->var)) return true;
      for (const operand& part : it->parts) open.push_back(&part);
    }
    return false;
  }

  const function& one_;
  const flow_graph& graph_;
};

}  // namespace

std::vector<char> pure_wait_loops(const function& one, const flow_graph& graph) {
  std::vector<char> result(one.body.size(), 0);
  std::size_t waits = 0;
  for (std::size_t i = 0; i < one.body.size(); ++i) {
    if (effect_of(one.body[i]) != effect::wait_result || ++waits > waits_max) continue;
    for (int member : finder(one, graph).through(graph.block_of[i])) {
      for (int k = graph.blocks[member].first; k < graph.blocks[member].end; ++k) result[k] = 1;
    }
  }
  return result;
}

}  // namespace genesys::schedule
