// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/spin_loads.h"

#include <algorithm>
#include <set>

#include "schedule/classify/address_keys.h"
#include "schedule/classify/fixed_iterations.h"
#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

// Beyond this many steps every further load in a loop counts.
constexpr std::size_t looks_max = 20'000'000;

class finder {
 public:
  finder(const function& one, const flow_graph& graph)
      : one_(one),
        graph_(graph),
        iterations_(one, graph),
        definitions_(static_cast<std::size_t>(one.end_variable - one.first_variable)) {
    for (std::size_t i = 0; i < one.body.size(); ++i) {
      for (int var : written_registers(one.body[i]))
        definitions_[var - one.first_variable].push_back(static_cast<int>(i));
      const int loop = graph.blocks[graph.block_of[i]].loop;
      if (loop >= 0 && is_fence(one.body[i])) with_fence_.insert(loop);
    }
  }

  bool spins(int load) {
    const int loop = graph_.blocks[graph_.block_of[load]].loop;
    if (loop < 0) return false;
    if (steps_ > looks_max) return true;
    std::set<int> changes, seen;
    collect(one_.body[load].operands[1].var, changes, seen);
    if (changes.count(load)) return false;  // it loads its next address
    return (comes_back(load, changes, true) || (with_fence_.count(loop) && comes_back(load, changes, false))) &&
           !iterations_.around(load);
  }

 private:
  static bool is_fence(const instruction& one) { return one.opcode == "membar" || one.opcode == "fence"; }

  static bool writes_memory(const instruction& one) {
    const effect does = effect_of(one);
    return does == effect::store || does == effect::atomic || does == effect::reduction || does == effect::call ||
           does == effect::async_copy;
  }

  // The instructions that change an address: the definitions of what it is computed from that are no computation of
  // one register.
  void collect(int var, std::set<int>& changes, std::set<int>& seen) {
    std::vector<int> open{var};
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      if (at < one_.first_variable || at >= one_.end_variable || !seen.insert(at).second) continue;
      const auto& definitions = definitions_[at - one_.first_variable];
      const bool is_computed = definitions.size() == 1 && effect_of(one_.body[definitions[0]]) == effect::compute;
      if (!is_computed) {
        changes.insert(definitions.begin(), definitions.end());
        continue;
      }
      for (const operand& each : one_.body[definitions[0]].operands) {
        open.push_back(each.var);
        for (const operand& part : each.parts) open.push_back(part.var);
      }
    }
  }

  // Whether there is a way from a load to itself that does not change the address (and writes nothing).
  bool comes_back(int load, const std::set<int>& changes, bool without_writes) {
    const int home = graph_.block_of[load];
    std::vector<char> is_seen(graph_.blocks.size(), 0);
    std::vector<int> open;
    // Threads of one block that meet at a barrier do not wait for each other in shared memory.
    const bool stops_at_barriers = space_of(one_.body[load]) == space::shared;
    const auto passes = [&](int first, int end) {
      for (int i = first; i < end; ++i, ++steps_) {
        const std::string_view opcode = one_.body[i].opcode;
        if (stops_at_barriers && (opcode == "bar" || opcode == "barrier")) return false;
        if (changes.count(i) || (without_writes && writes_memory(one_.body[i]))) return false;
      }
      return true;
    };
    if (!passes(load + 1, graph_.blocks[home].end)) return false;
    open = graph_.blocks[home].next;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      if (is_seen[at]) continue;
      is_seen[at] = 1;
      const auto& block = graph_.blocks[at];
      if (at == home && passes(block.first, load)) return true;
      if (at == home || block.loop != graph_.blocks[home].loop || !passes(block.first, block.end)) continue;
      open.insert(open.end(), block.next.begin(), block.next.end());
    }
    return false;
  }

  const function& one_;
  const flow_graph& graph_;
  fixed_iterations iterations_;
  std::vector<std::vector<int>> definitions_;
  std::set<int> with_fence_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<char> spin_loads(const function& one, const flow_graph& graph) {
  std::vector<char> result(one.body.size(), 0);
  finder found(one, graph);
  for (std::size_t i = 0; i < one.body.size(); ++i) {
    const instruction& load = one.body[i];
    const space in = space_of(load);
    // ld.nc reads what nothing may write meanwhile.
    const bool is_candidate = !load.has("nc") && effect_of(load) == effect::load && load.operands.size() >= 2 &&
                              (in == space::global || in == space::generic || in == space::shared);
    if (is_candidate) result[i] = found.spins(static_cast<int>(i));
  }
  return result;
}

}  // namespace genesys::schedule
