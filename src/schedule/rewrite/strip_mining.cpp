// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/strip_mining.h"

#include <algorithm>
#include <bit>

#include "schedule/classify/address_keys.h"
#include "schedule/rewrite/fused_pairs.h"

namespace genesys::schedule {
namespace {

bool mentions(const operand& one, int var) {
  return one.var == var ||
         std::any_of(one.parts.begin(), one.parts.end(), [&](const operand& each) { return mentions(each, var); });
}

bool mentions(const instruction& one, int var) {
  const auto any = [&](const std::vector<operand>& list) {
    return std::any_of(list.begin(), list.end(), [&](const operand& each) { return mentions(each, var); });
  };
  return one.guard == var || any(one.operands) || any(one.results) || any(one.inputs);
}

bool is_plain_register(const operand& one) {
  return one.what == operand::kind::reg && !one.is_negated && one.text.find('.') == one.text.npos;
}

enum class relation { none, less, greater, differs };

// Of `setp.lt` and so on: how the tested value relates to the other one while the loop goes on. `<=` counts as `<`: the
// inner loop then ends earlier.
relation relation_of(std::string_view name, bool is_negated) {
  const auto is = [&](std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  if (is({"lt", "le", "lo", "ls"})) return is_negated ? relation::greater : relation::less;
  if (is({"gt", "ge", "hi", "hs"})) return is_negated ? relation::less : relation::greater;
  if (name == (is_negated ? "eq" : "ne")) return relation::differs;
  return relation::none;
}

class strip_finder {
 public:
  strip_finder(const module& all, std::string_view text, const function& one, const flow_graph& graph,
               const natural_loop& loop, const std::unordered_set<int>* divergent)
      : all_(all),
        text_(text),
        one_(one),
        divergent_(divergent),
        first_(graph.blocks[loop.header].first),
        last_block_(graph.blocks[loop.latches[0]].first),
        latch_(graph.blocks[loop.latches[0]].end - 1),
        back_(one.body[latch_]) {
    for (int block : loop.blocks) {
      for (int i = graph.blocks[block].first; i < graph.blocks[block].end; ++i) inside_.push_back(i);
    }
    std::sort(inside_.begin(), inside_.end());
  }

  std::optional<strip> find() {
    if (!is_entered_from_above() || has_sum_across_iterations()) return std::nullopt;
    if (back_.opcode != "bra" || back_.guard == no_variable || !back_.modifiers.empty()) return std::nullopt;
    if (back_.targets != std::vector<int>{first_} || back_.operands.size() != 1) return std::nullopt;
    found_.before = found_.latch = latch_;
    found_.label = back_.operands[0].text;
    found_.guard = all_.variables[back_.guard].name;
    found_.guard_is_negated = back_.guard_is_negated;
    if (!use_variable()) found_.ends = strip::until::count;
    return found_;
  }

 private:
  // Between the instruction above and the loop's label nothing but labels, and directives that declare nothing. So what
  // is inserted behind that instruction is in the scope of the label.
  bool is_entered_from_above() const {
    if (first_ == 0) return false;
    const instruction& above = one_.body[first_ - 1];
    const bool falls_through = above.guard != no_variable || (above.opcode != "bra" && above.opcode != "brx" &&
                                                              above.opcode != "ret" && above.opcode != "exit");
    if (!falls_through || back_.operands.empty()) return false;
    const std::uint32_t start = above.end_offset, end = one_.body[first_].at.offset;
    for (const token& each : tokens_of(text_.substr(start, end - start))) {
      if (each.text == back_.operands[0].text) return true;
      const bool is_directive = each.kind == token_kind::word && each.text.starts_with('.');
      if ((is_directive && each.text != ".loc" && each.text != ".pragma") || each.kind == token_kind::wrong)
        return false;
      if (each.is('{') || each.is('}')) return false;
    }
    return false;
  }

  // A sum in which a product of the iteration before is added.
  bool has_sum_across_iterations() const {
    for (int i : inside_) {
      const instruction& sum = one_.body[i];
      if (sum.opcode == "mul" || !may_be_fused(sum)) continue;
      for (int k : inside_) {
        if (k < i) continue;
        const instruction& product = one_.body[k];
        if (product.opcode != "mul" || !may_be_fused(product) || product.operands.empty()) continue;
        for (std::size_t source = 1; source < sum.operands.size(); ++source) {
          if (sum.operands[source].var == product.operands[0].var) return true;
        }
      }
    }
    return false;
  }

  // The instruction of the loop that writes the register, if it is in the block of the latch. -1: none, or several.
  int only_definition(int var) const {
    int found = -1;
    for (int i : inside_) {
      const std::vector<int> written = written_registers(one_.body[i]);
      if (std::find(written.begin(), written.end(), var) == written.end()) continue;
      if (found >= 0) return -1;
      found = i;
    }
    if (found < last_block_) return -1;
    return found;
  }
  bool is_invariant(int var) const {
    for (int i : inside_) {
      const std::vector<int> written = written_registers(one_.body[i]);
      if (std::find(written.begin(), written.end(), var) != written.end()) return false;
    }
    return true;
  }

  // Whether the name means the same variable before the loop. A scope that encloses the loop's test and the declaration
  // encloses what is between them.
  bool is_known_above(const operand& one) const {
    if (!is_plain_register(one) || (divergent_ && divergent_->count(one.var))) return false;
    return all_.variables[one.var].at.offset < one_.body[first_ - 1].end_offset;
  }

  // False: a counter is needed.
  bool use_variable() {
    const int at = only_definition(back_.guard);
    if (at < 0) return false;
    const instruction& test = one_.body[at];
    if (test.opcode != "setp" || test.guard != no_variable || test.has_two_results) return false;
    if (test.operands.size() != 3 || test.modifiers.size() != 2) return false;
    const relation goes_on = relation_of(test.modifiers[0], back_.guard_is_negated);
    if (!use_type(test.modifiers[1], goes_on) || !use_bound(test.operands[2]) || !use_step(at)) return false;
    if (goes_on == relation::differs && !use_distance()) return false;
    if (goes_on != relation::differs) found_.ends = strip::until::order;
    if (goes_on != relation::differs) found_.is_down = goes_on == relation::greater;
    bool is_last = at == latch_ - 1;
    for (int i : inside_) is_last &= i == at || i == latch_ || !mentions(one_.body[i], back_.guard);
    if (is_last) found_.before = at;  // the test then stands in the outer loop alone
    return true;
  }

  // Unsigned numbers that go down: a limit would often be below 0.
  bool use_type(std::string_view type, relation goes_on) {
    const bool is_unsigned = type == "u32" || type == "u64", is_signed = type == "s32" || type == "s64";
    const bool has_no_sign = type == "b32" || type == "b64";
    if (goes_on == relation::none || (!is_unsigned && !is_signed && !has_no_sign)) return false;
    if (goes_on == relation::greater && is_unsigned) return false;
    if (goes_on != relation::differs && has_no_sign) return false;
    found_.type = type;
    return true;
  }

  bool use_bound(const operand& bound) {
    if (bound.what == operand::kind::immediate && bound.is_integer) {
      found_.bound = std::to_string(bound.value);
      return true;
    }
    found_.bound = bound.text;
    return is_known_above(bound) && is_invariant(bound.var);
  }

  // `add tested, from, step`, where `from` is the tested register, or becomes equal to it in each iteration.
  bool use_step(int test) {
    const operand& tested = one_.body[test].operands[1];
    if (!is_known_above(tested)) return false;
    const int at = only_definition(tested.var);
    if (at < 0 || at > test) return false;
    const instruction& sum = one_.body[at];
    if (sum.opcode != "add" || sum.guard != no_variable || sum.operands.size() != 3 || sum.modifiers.size() != 1)
      return false;
    if (sum.modifiers[0].substr(1) != found_.type.substr(1) || sum.modifiers[0][0] == 'f') return false;
    const operand &from = sum.operands[1], &step = sum.operands[2];
    if (!is_known_above(from) || !use_added(step)) return false;
    if (from.var != tested.var) {
      const int copied = only_definition(from.var);
      if (copied < at) return false;
      const instruction& copy = one_.body[copied];
      const bool is_copy = copy.opcode == "mov" && copy.guard == no_variable && copy.operands.size() == 2 &&
                           copy.operands[1].var == tested.var && is_plain_register(copy.operands[1]);
      if (!is_copy) return false;
    }
    found_.tested = tested.text;
    found_.from = from.text;
    return true;
  }

  bool use_added(const operand& step) {
    constexpr std::int64_t most = std::int64_t{1} << 16;  // times strip_iterations_most in 32 bits
    if (step.what == operand::kind::immediate) {
      found_.step = step.value;
      return step.is_integer && step.value != 0 && step.value <= most && step.value >= -most;
    }
    found_.by = step.text;
    return is_known_above(step) && is_invariant(step.var);
  }

  // A step that is a power of 2 reaches each limit that is a multiple of it away, also if it passes the bound.
  bool use_distance() {
    if (!found_.by.empty()) return false;
    found_.ends = strip::until::distance;
    found_.is_down = found_.step < 0;
    return std::has_single_bit(static_cast<std::uint64_t>(found_.is_down ? -found_.step : found_.step));
  }

  const module& all_;
  std::string_view text_;
  const function& one_;
  const std::unordered_set<int>* divergent_;
  std::vector<int> inside_;  // instructions of the loop
  int first_, last_block_, latch_;
  const instruction& back_;
  strip found_;
};

}  // namespace

std::optional<strip> strip_of(const module& all, std::string_view text, const function& one, const flow_graph& graph,
                              const natural_loop& loop, const std::unordered_set<int>* divergent) {
  if (loop.latches.size() != 1) return std::nullopt;
  return strip_finder(all, text, one, graph, loop, divergent).find();
}

}  // namespace genesys::schedule
