// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/fused_pairs.h"

#include <algorithm>

#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

bool is_of_floats(const instruction& one) {
  return std::any_of(one.modifiers.begin(), one.modifiers.end(), [](std::string_view name) {
    return name == "f32" || name == "f64" || name == "f16" || name == "f16x2" || name == "bf16" || name == "bf16x2" ||
           name == "f32x2";
  });
}

// ptxas looks through them.
bool hands_on(const instruction& one) {
  return (one.opcode == "mov" || (one.opcode == "neg" && is_of_floats(one))) && one.operands.size() == 2;
}

bool is_product(const instruction& one) { return one.opcode == "mul" && may_be_fused(one); }
bool is_sum(const instruction& one) { return one.opcode != "mul" && may_be_fused(one); }

bool has(const std::vector<std::uint64_t>& all, int number) { return (all[number / 64] >> (number % 64) & 1) != 0; }
void add(std::vector<std::uint64_t>& all, int number) { all[number / 64] |= std::uint64_t{1} << (number % 64); }
void remove(std::vector<std::uint64_t>& all, int number) { all[number / 64] &= ~(std::uint64_t{1} << (number % 64)); }

bool meet(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

bool unite(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
  bool changed = false;
  for (std::size_t i = 0; i < into.size(); ++i) {
    changed |= (from[i] & ~into[i]) != 0;
    into[i] |= from[i];
  }
  return changed;
}

}  // namespace

// With a rounding (`mul.rn.f32`) an operation stays as it is.
bool may_be_fused(const instruction& one) {
  if (one.opcode != "mul" && one.opcode != "add" && one.opcode != "sub") return false;
  return is_of_floats(one) && !one.has("rn") && !one.has("rz") && !one.has("rm") && !one.has("rp");
}

fused_pairs::fused_pairs(const function& one, const flow_graph& graph, const loop_forest& forest)
    : one_(one), graph_(graph), forest_(forest) {
  is_mixed_.assign(forest.loops().size(), 0);
  number_registers();
  if (count_ == 0) return;
  constexpr std::size_t bits_max = std::size_t{1} << 26;  // of a hostile text
  is_too_large_ |= (count_ + 64) * graph.blocks.size() > bits_max;
  if (!is_too_large_) flow_products();
  if (!is_too_large_) flow_uses();
  if (!is_too_large_) mix_loops();
  if (is_too_large_) std::fill(is_mixed_.begin(), is_mixed_.end(), 1);
}

int fused_pairs::number_of(const operand& reg) const {
  if (reg.what != operand::kind::reg || reg.var < one_.first_variable || reg.var >= one_.end_variable) return -1;
  return numbers_[static_cast<std::size_t>(reg.var - one_.first_variable)];
}

// Registers that hold a product somewhere and go into a sum somewhere, each also by way of others.
void fused_pairs::number_registers() {
  const std::size_t all = static_cast<std::size_t>(one_.end_variable - one_.first_variable);
  std::vector<char> holds(all, 0), goes(all, 0);
  const auto at = [&](std::vector<char>& of, const operand& reg) -> char* {
    const int var = reg.var - one_.first_variable;
    return reg.what == operand::kind::reg && var >= 0 && var < static_cast<int>(all) ? &of[var] : nullptr;
  };
  for (const instruction& each : one_.body) {
    if (is_product(each) && !each.operands.empty()) {
      if (char* held = at(holds, each.operands[0])) *held = 1;
    }
    for (std::size_t k = 1; is_sum(each) && k < each.operands.size(); ++k) {
      if (char* gone = at(goes, each.operands[k])) *gone = 1;
    }
  }
  constexpr int rounds_max = 16;  // of copies of copies
  bool changed = true;
  for (int round = 0; changed && round < rounds_max; ++round) {
    changed = false;
    for (const instruction& each : one_.body) {
      if (!hands_on(each)) continue;
      const auto spread = [&](std::vector<char>& of, const operand& from, const operand& to) {
        const char* source = at(of, from);
        char* result = at(of, to);
        if (!source || !result || !*source || *result) return;
        *result = 1;
        changed = true;
      };
      spread(holds, each.operands[1], each.operands[0]);
      spread(goes, each.operands[0], each.operands[1]);
    }
  }
  numbers_.assign(all, -1);
  for (std::size_t i = 0; i < all; ++i) {
    if (holds[i] && goes[i]) numbers_[i] = static_cast<int>(count_++);
  }
  if (!changed) return;
  is_too_large_ = true;
  count_ = std::max<std::size_t>(count_, 1);
}

void fused_pairs::pass_down(const instruction& by, set& made) const {
  if (by.operands.empty()) return;
  for (std::size_t k = 0; k < by.operands.size() && k < (by.has_two_results ? 2U : 1U); ++k) {
    const int result = number_of(by.operands[k]);
    if (result < 0) continue;
    const int from = hands_on(by) ? number_of(by.operands[1]) : -1;
    if (is_product(by) || (from >= 0 && has(made, from))) {
      add(made, result);
    } else if (by.guard == no_variable) {
      remove(made, result);
    }
  }
}

void fused_pairs::pass_up(const instruction& by, set& awaited) const {
  if (by.operands.empty()) return;
  const int result = number_of(by.operands[0]);
  const bool was_awaited = result >= 0 && has(awaited, result);
  const bool is_only_read = effect_of(by) == effect::store || effect_of(by) == effect::branch;
  if (result >= 0 && by.guard == no_variable && !is_only_read) remove(awaited, result);
  for (std::size_t k = 1; k < by.operands.size(); ++k) {
    const int source = number_of(by.operands[k]);
    if (source >= 0 && (is_sum(by) || (hands_on(by) && was_awaited))) add(awaited, source);
  }
}

// The number of rounds is bounded by the nesting of loops; a hostile graph that needs more is too large.
void fused_pairs::flow_products() {
  constexpr int rounds_max = 64;
  made_.assign(graph_.blocks.size(), set((count_ + 63) / 64, 0));
  bool changed = true;
  for (int round = 0; changed && round < rounds_max; ++round) {
    changed = false;
    for (std::size_t block = 0; block < graph_.blocks.size(); ++block) {
      set here = made_[block];
      for (int i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) pass_down(one_.body[i], here);
      for (int next : graph_.blocks[block].next) changed |= unite(made_[next], here);
    }
  }
  is_too_large_ |= changed;
}

void fused_pairs::flow_uses() {
  constexpr int rounds_max = 64;
  awaited_.assign(graph_.blocks.size(), set((count_ + 63) / 64, 0));
  bool changed = true;
  for (int round = 0; changed && round < rounds_max; ++round) {
    changed = false;
    for (std::size_t block = graph_.blocks.size(); block-- > 0;) {
      set here((count_ + 63) / 64, 0);
      for (int next : graph_.blocks[block].next) unite(here, awaited_[next]);
      for (int i = graph_.blocks[block].end; i-- > graph_.blocks[block].first;) pass_up(one_.body[i], here);
      changed |= unite(awaited_[block], here);
    }
  }
  is_too_large_ |= changed;
}

void fused_pairs::mix_loops() {
  for (std::size_t i = 0; i < is_mixed_.size(); ++i) {
    const natural_loop& loop = forest_.loops()[i];
    is_mixed_[i] = meet(made_[loop.header], awaited_[loop.header]);
    for (int block : loop.blocks) {
      const auto leaves = [&](int next) { return !loop.has(next); };
      const std::vector<int>& next = graph_.blocks[block].next;
      if (std::none_of(next.begin(), next.end(), leaves)) continue;
      set made = made_[block];
      for (int k = graph_.blocks[block].first; k < graph_.blocks[block].end; ++k) pass_down(one_.body[k], made);
      for (int to : next) is_mixed_[i] |= leaves(to) && meet(made, awaited_[to]);
    }
  }
}

bool fused_pairs::crosses(int instruction) const {
  const int block = graph_.block_of[instruction];
  set made = made_[block], awaited((count_ + 63) / 64, 0);
  for (int i = graph_.blocks[block].first; i < instruction; ++i) pass_down(one_.body[i], made);
  if (std::all_of(made.begin(), made.end(), [](std::uint64_t word) { return word == 0; })) return false;
  for (int next : graph_.blocks[block].next) unite(awaited, awaited_[next]);
  for (int i = graph_.blocks[block].end; i-- > instruction;) pass_up(one_.body[i], awaited);
  return meet(made, awaited);
}

bool fused_pairs::separated_at(int instruction) const {
  if (count_ == 0) return false;
  if (is_too_large_ || crosses(instruction)) return true;
  for (int loop = forest_.innermost(graph_.block_of[instruction]); loop >= 0; loop = forest_.loops()[loop].parent) {
    if (is_mixed(loop)) return true;
  }
  return false;
}

}  // namespace genesys::schedule
