// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/uniform_control.h"

#include <algorithm>
#include <unordered_set>

#include "schedule/classify/opcodes.h"
#include "schedule/rewrite/natural_loops.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {
namespace {

bool is_uniform_special(std::string_view name) {
  return name.starts_with("%ctaid") || name.starts_with("%nctaid") || name.starts_with("%ntid") || name == "WARP_SZ";
}

class divergence {
 public:
  divergence(const function& one, const flow_graph& graph, const std::vector<int>& meets)
      : one_(one), graph_(graph), blocks_(graph.blocks.size()) {
    next_.resize(blocks_);
    is_divergent_.assign(blocks_, 0);
    keep_paths_to(meets);
  }

  const std::unordered_set<int>& registers() const { return divergent_; }

  bool find(const std::vector<int>& meets) {
    constexpr std::size_t blocks_max = 4'000;  // the time grows with branches times blocks
    if (blocks_ > blocks_max) return false;
    const loop_forest after(reversed());  // its dominators are the post-dominators, in which block 0 is the end
    constexpr int rounds_max = 64;
    bool changed = true;
    for (int round = 0; changed; ++round) {
      if (round == rounds_max) return false;
      changed = spread_values();
      for (std::size_t block = 0; block < blocks_; ++block) {
        if (next_[block].size() > 1 && branches_apart(block)) changed |= mark_region(block, after);
      }
    }
    return std::none_of(meets.begin(), meets.end(), [&](int i) { return is_divergent_[graph_.block_of[i]] != 0; });
  }

 private:
  // A thread that meets nothing any more does not count: edges to where nothing can be met are left out.
  void keep_paths_to(const std::vector<int>& meets) {
    std::vector<std::vector<int>> before(blocks_);
    for (std::size_t block = 0; block < blocks_; ++block) {
      for (int next : graph_.blocks[block].next) before[next].push_back(static_cast<int>(block));
    }
    may_meet_.assign(blocks_, 0);
    std::vector<int> open;
    for (int i : meets) open.push_back(graph_.block_of[i]);
    while (!open.empty()) {
      const int block = open.back();
      open.pop_back();
      if (may_meet_[block]) continue;
      may_meet_[block] = 1;
      open.insert(open.end(), before[block].begin(), before[block].end());
    }
    for (std::size_t block = 0; block < blocks_; ++block) {
      for (int next : graph_.blocks[block].next) {
        if (may_meet_[block] && may_meet_[next]) next_[block].push_back(next);
      }
      ends_.push_back(may_meet_[block] && next_[block].size() < graph_.blocks[block].next.size());
      if (may_meet_[block] && graph_.blocks[block].next.empty()) ends_.back() = true;
    }
  }

  // Block b is b + 1. A block with an edge that was left out may be the end: that makes regions larger, never smaller.
  flow_graph reversed() const {
    flow_graph result;
    result.blocks.resize(blocks_ + 1);
    for (std::size_t block = 0; block < blocks_; ++block) {
      const int at = static_cast<int>(block) + 1;
      for (int next : next_[block]) result.blocks[next + 1].next.push_back(at);
      if (ends_[block]) result.blocks[0].next.push_back(at);
    }
    return result;
  }

  bool branches_apart(std::size_t block) const {
    const instruction& last = one_.body[graph_.blocks[block].end - 1];
    if (last.guard != no_variable && divergent_.count(last.guard)) return true;
    return last.opcode == "brx" && reads_divergent(last);
  }

  // All blocks between the branch and where its ways meet again.
  bool mark_region(std::size_t block, const loop_forest& after) {
    const int join = after.immediate_dominator(static_cast<int>(block) + 1) - 1;  // -1: the end; -2: not known
    std::vector<int> open = next_[block];
    std::vector<char> seen(blocks_, 0);
    bool changed = false;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      if (at == join || seen[at]) continue;
      seen[at] = 1;
      changed |= !is_divergent_[at];
      is_divergent_[at] = 1;
      open.insert(open.end(), next_[at].begin(), next_[at].end());
    }
    return changed;
  }

  bool is_divergent(const operand& one) const {
    if (one.what == operand::kind::special && !is_uniform_special(one.text)) return true;
    if (one.var != no_variable && divergent_.count(one.var)) return true;
    return std::any_of(one.parts.begin(), one.parts.end(), [&](const operand& each) { return is_divergent(each); });
  }

  bool reads_divergent(const instruction& one) const {
    if (one.guard != no_variable && divergent_.count(one.guard)) return true;
    for (const auto* list : {&one.operands, &one.inputs}) {
      if (std::any_of(list->begin(), list->end(), [&](const operand& each) { return is_divergent(each); })) return true;
    }
    return false;
  }

  // Results that are divergent whatever the operands are.
  bool makes_divergent(const instruction& one) const {
    const effect does = effect_of(one);
    if (does == effect::compute) return sync_of(one).what != sync::none;
    if (does == effect::load && space_of(one) == space::param) {  // a callee's result is in .param space, too
      const auto& own = one_.parameters;
      return one.operands.size() != 2 || std::find(own.begin(), own.end(), one.operands[1].var) == own.end();
    }
    if (does == effect::load) return space_of(one) != space::constant;
    if (does == effect::barrier) return sync_of(one).what != sync::reducing;
    return true;
  }

  bool spread_values() {
    bool any = false;
    for (bool changed = true; changed; any |= changed) {
      changed = false;
      for (std::size_t i = 0; i < one_.body.size(); ++i) {
        const instruction& each = one_.body[i];
        const effect does = effect_of(each);
        if (does == effect::branch || does == effect::leave || does == effect::store) continue;
        const bool is_block_divergent = is_divergent_[graph_.block_of[i]] != 0;
        const bool here = is_block_divergent || makes_divergent(each) ||
                          (sync_of(each).what != sync::reducing && reads_divergent(each));
        if (!here) continue;
        // The first two operands may be results. That a source is taken for one errs to the safe side.
        for (std::size_t k = 0; k < each.operands.size() && k < (each.has_two_results ? 2U : 1U); ++k) {
          changed |= add(each.operands[k]);
        }
        for (const operand& result : each.results) changed |= add(result);
      }
    }
    return any;
  }

  bool add(const operand& result) {
    bool changed = result.var != no_variable && divergent_.insert(result.var).second;
    for (const operand& part : result.parts) changed |= add(part);
    return changed;
  }

  const function& one_;
  const flow_graph& graph_;
  std::size_t blocks_;
  std::vector<std::vector<int>> next_;
  std::vector<char> may_meet_, is_divergent_;
  std::vector<bool> ends_;
  std::unordered_set<int> divergent_;  // registers
};

}  // namespace

bool meet_in_one_order(const function& one, const flow_graph& graph, const std::vector<int>& instructions,
                       std::unordered_set<int>* divergent) {
  divergence all(one, graph, instructions);
  const bool result = all.find(instructions);
  if (divergent) *divergent = all.registers();
  return result;
}

}  // namespace genesys::schedule
