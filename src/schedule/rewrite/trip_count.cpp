// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/trip_count.h"

#include <optional>

namespace genesys::schedule {
namespace {

// Registers that hold the counter of a loop: `add r, s, 1` in the loop, and `mov s, r`.
class counter {
 public:
  counter(const function& one, const flow_graph& graph, const loop_forest& forest, const natural_loop& loop)
      : one_(one), graph_(graph), forest_(forest), loop_(loop) {}

  std::uint64_t iterations() const {
    if (loop_.latches.size() != 1) return 0;
    const instruction& back = one_.body[graph_.blocks[loop_.latches[0]].end - 1];
    if (back.opcode != "bra" || back.guard == no_variable) return 0;
    const instruction* test = only_definition(back.guard);
    if (!test || test->opcode != "setp" || test->operands.size() != 3 || !test->operands[2].is_integer) return 0;
    const instruction* step = only_definition(test->operands[1].var);
    if (!step || step->opcode != "add" || step->operands.size() != 3 || !step->operands[2].is_integer) return 0;
    if (!is_in_every_iteration(*test) || !is_in_every_iteration(*step)) return 0;
    const std::int64_t by = step->operands[2].value;
    const auto first = value_before(step->operands[1].var, step->operands[0].var);
    if (!first || by == 0) return 0;
    constexpr std::int64_t most = std::int64_t{1} << 32;
    const std::int64_t last = test->operands[2].value;
    if (last > most || last < -most || *first > most || *first < -most || by > most || by < -most) return 0;
    const bool tests_equality = test->has("eq") || test->has("ne");
    if (tests_equality && (last - *first) % by != 0) return 0;  // it would miss the value, and go round
    const std::int64_t count = (last - *first) / by;
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }

 private:
  bool is_inside(std::size_t i) const { return loop_.has(graph_.block_of[i]); }
  bool is_in_every_iteration(const instruction& each) const {
    const int block = graph_.block_of[static_cast<std::size_t>(&each - one_.body.data())];
    return each.guard == no_variable && forest_.dominates(block, loop_.latches[0]);
  }

  static bool defines(const instruction& by, int var) {
    return var != no_variable && !by.operands.empty() && by.operands[0].what == operand::kind::reg &&
           by.operands[0].var == var;
  }

  // In the loop. Null: none, or several.
  const instruction* only_definition(int var) const {
    const instruction* found = nullptr;
    for (int block : loop_.blocks) {
      for (int i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) {
        if (!defines(one_.body[i], var)) continue;
        if (found) return nullptr;
        found = &one_.body[i];
      }
    }
    return found;
  }

  // The constant in `from` where the loop begins; in the loop only `step` may go into it.
  std::optional<std::int64_t> value_before(int from, int step) const {
    std::optional<std::int64_t> found;
    for (std::size_t i = 0; i < one_.body.size(); ++i) {
      const instruction& each = one_.body[i];
      if (!defines(each, from)) continue;
      if (is_inside(i)) {
        const bool is_step =
            from == step || (each.opcode == "mov" && each.operands.size() == 2 && each.operands[1].var == step);
        if (!is_step || !is_in_every_iteration(each)) return std::nullopt;
        continue;
      }
      if (each.opcode != "mov" || each.operands.size() != 2 || !each.operands[1].is_integer) return std::nullopt;
      if (found && *found != each.operands[1].value) return std::nullopt;
      found = each.operands[1].value;
    }
    return found;
  }

  const function& one_;
  const flow_graph& graph_;
  const loop_forest& forest_;
  const natural_loop& loop_;
};

}  // namespace

std::uint64_t trip_count(const function& one, const flow_graph& graph, const loop_forest& forest,
                         const natural_loop& loop) {
  return counter(one, graph, forest, loop).iterations();
}

}  // namespace genesys::schedule
