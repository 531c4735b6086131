// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/summary.h"

#include <algorithm>

#include "schedule/classify/address_keys.h"
#include "schedule/classify/flow_graph.h"
#include "schedule/classify/opcodes.h"
#include "schedule/classify/spin_loads.h"
#include "schedule/classify/value_flow.h"
#include "schedule/classify/written_before.h"

namespace genesys::schedule {
namespace {

constexpr std::size_t accesses_max = 20'000;
constexpr int reasons_max = 50;  // of each kind

class recorder {
 public:
  recorder(const function& one, const flow_graph& graph, const value_flow& flow, const std::vector<char>& before,
           const summaries& callees, summary& into)
      : one_(one),
        graph_(graph),
        flow_(flow),
        callees_(callees),
        all_(callees.all()),
        into_(into),
        before_(before),
        spins_(spin_loads(one, graph)) {}

  void record() {
    count_mentions();
    for (std::size_t i = 0; i < one_.body.size(); ++i) record(static_cast<int>(i));
    into_.results = flow_.results();
    into_.shared_is_nondeterministic |= flow_.in_shared().is_nondeterministic;
  }

 private:
  void say(reason::against what, std::string text, const instruction& by) {
    tell({what, std::move(text), by.at.line, name()});
  }
  // The first reasons of each kind: one of a kind decides, and further ones only help the reader.
  void tell(const reason& one) {
    int& told = told_[static_cast<int>(one.what)];
    if (told < reasons_max) into_.reasons.push_back(one);
    told += told < reasons_max;
  }
  std::string name() const { return std::string(one_.name); }

  static std::string spelled(const instruction& one) {
    std::string text(one.opcode);
    for (std::string_view modifier : one.modifiers) text += "." + std::string(modifier.substr(0, 40));
    return text;
  }

  // How often each register is read: where it is named, less where it is a result.
  void count_mentions() {
    reads_.resize(static_cast<std::size_t>(one_.end_variable - one_.first_variable), 0);
    for (const instruction& each : one_.body) {
      if (each.guard != no_variable) ++reads_[each.guard - one_.first_variable];
      for (const auto* list : {&each.operands, &each.results, &each.inputs}) {
        for (const operand& it : *list) count_mentions(it);
      }
      for (int var : written_registers(each)) --reads_[var - one_.first_variable];
    }
  }
  void count_mentions(const operand& one) {
    if (one.var >= one_.first_variable && one.var < one_.end_variable) ++reads_[one.var - one_.first_variable];
    for (const operand& part : one.parts) count_mentions(part);
  }
  bool is_read(const operand& one) const {
    if (one.what == operand::kind::sink) return false;
    return one.what != operand::kind::reg || reads_[one.var - one_.first_variable] > 0;
  }

  bool is_in_loop(int index) const { return graph_.blocks[graph_.block_of[index]].loop >= 0; }

  void record(int index) {
    using enum reason::against;
    const instruction& one = one_.body[index];
    const effect does = effect_of(one);
    check_operands(one);
    const bool guard_differs = flow_.guard_of(one).is_nondeterministic;
    switch (does) {
      case effect::load:
        return record_load(index, one);
      case effect::store:
      case effect::atomic:
      case effect::reduction:
        return record_store(index, one, guard_differs);
      case effect::async_copy:
        into_.reads_memory = true;
        return add({access::kind::read, source_address(one), {}, true, false, one.at.line, one_.name});
      case effect::texture_load:
        into_.reads_memory = true;
        return add({access::kind::read, unknown(), {}, true, false, one.at.line, one_.name});
      case effect::surface_store:
        return say(both, "writes through a surface: what it writes is not known", one);
      case effect::branch:
        into_.has_control = true;
        if (one.targets.empty()) say(both, "a branch whose target is not known", one);
        if (guard_differs || (one.opcode == "brx" && flow_.of(one.operands[0]).is_nondeterministic))
          branch_differs(index);
        return;
      case effect::leave:
        if (guard_differs) branch_differs(index);
        return;
      case effect::call:
        return record_call(index, one, guard_differs);
      case effect::sleep:
        if (!flow_.waits_in_pure_loop(index)) say(preemption, "nanosleep: it may wait for other threads", one);
        return;
      case effect::barrier:
        into_.tells_others |= one.has("sys");
        return;
      case effect::trap:
        return say(preemption, "'" + spelled(one) + "' ends the whole context", one);
      case effect::bulk_copy:
        return say(both, "a bulk or tensor copy, '" + spelled(one) + "': not analysed", one);
      case effect::cluster:
        return say(both, "blocks of a cluster work together, '" + spelled(one) + "'", one);
      case effect::multicast:
        return say(both, "memory of several GPUs, '" + spelled(one) + "'", one);
      case effect::dependents:
        return say(both, "the next kernel may start before this one ends", one);
      case effect::not_understood:
        return say(both, "not understood: '" + spelled(one) + "'", one);
      default:
        return;
    }
  }

  void branch_differs(int index) {
    if (flow_.waits_in_pure_loop(index)) return;
    say(reason::against::nondeterminism,
        "a branch depends on what may differ between runs (clock, SM, order of threads)", one_.body[index]);
  }

  void check_operands(const instruction& one) {
    for (const auto* list : {&one.operands, &one.inputs}) {
      for (const operand& each : *list) check_operand(each, one);
    }
  }

  void check_operand(const operand& one, const instruction& by) {
    if (one.what == operand::kind::other) say(reason::against::both, "an operand is not understood", by);
    if (one.what == operand::kind::special) {
      const special kind = kind_of_special(one.text);
      if (kind == special::workspace) {
        say(reason::against::both, std::string(one.text) + ": the workspace of grid-wide synchronisation", by);
      } else if (kind == special::not_understood) {
        say(reason::against::both, "not understood: '" + std::string(one.text.substr(0, 40)) + "'", by);
      }
    }
    if (one.what == operand::kind::address && !one.parts.empty() && effect_of(by) != effect::texture_load &&
        effect_of(by) != effect::surface_store) {
      say(reason::against::both, "an operand is not understood", by);
    }
    for (const operand& part : one.parts) check_operand(part, by);
  }

  value source_address(const instruction& one) const {
    return one.operands.size() < 2 ? unknown() : flow_.address_of(one.operands[1]);
  }

  // Of a load, store or atomic that has a space: it is in global memory, whatever the address looks like.
  static bool is_elsewhere(const instruction& one, const value& address) {
    const space in = space_of(one);
    if (in == space::generic) return !value_flow::may_be_global(address);
    return in != space::global;
  }

  void record_load(int index, const instruction& one) {
    using enum reason::against;
    if (one.operands.size() < 2) return say(both, "not understood: '" + spelled(one) + "'", one);
    const space in = space_of(one);
    if (in == space::param) return;
    into_.reads_memory |= in != space::shared;
    into_.reads_shared |= in == space::shared || in == space::generic;
    const value address = flow_.address_of(one.operands[1]);
    if (spins_[index] && !is_strong(one)) {
      say(preemption, "'" + spelled(one) + "' in a loop that changes nothing: it may wait for other threads", one);
    }
    if (is_strong(one)) {
      if (is_in_loop(index)) say(preemption, "'" + spelled(one) + "' in a loop: it may wait for other threads", one);
      into_.waits_if_repeated = true;
    }
    if (is_elsewhere(one, address)) return;
    if (is_strong(one)) {
      say(nondeterminism, "'" + spelled(one) + "' reads what other threads may write meanwhile", one);
    }
    add({access::kind::read, address, {}, space_of(one) == space::global, before_[index] != 0, one.at.line, one_.name});
  }

  void record_store(int index, const instruction& one, bool guard_differs) {
    using enum reason::against;
    const effect does = effect_of(one);
    const std::size_t at = does == effect::atomic ? 1 : 0;
    if (one.operands.size() <= at + 1) return say(both, "not understood: '" + spelled(one) + "'", one);
    if (space_of(one) == space::param) return check_param_store(one);
    const value address = flow_.address_of(one.operands[at]);
    value stored = flow_.stored_by(one);
    stored.is_nondeterministic |= guard_differs || (does != effect::store && !commutes(one));
    into_.has_control = true;
    const bool has_result = does == effect::atomic && is_read(one.operands[0]);
    into_.waits_if_repeated |= has_result;
    if (has_result && is_in_loop(index)) say(preemption, "an atomic in a loop: it may wait for other threads", one);
    // A callee's stores to its caller's shared and local memory matter to the data flow of the caller.
    if (is_elsewhere(one, address)) {
      if (one_.is_entry) return;
      value kept = address;
      if (space_of(one) == space::shared) kept = of_base({base::kind::shared, 0, 0});
      if (space_of(one) == space::local) kept = of_base({base::kind::local, 0, 0});
      kept.is_nondeterministic = address.is_nondeterministic;
      add({access::kind::write, kept, stored, false, false, one.at.line, one_.name});
      return;
    }
    if (guard_differs || address.is_nondeterministic) {
      say(nondeterminism, "where it writes depends on what may differ between runs", one);
    }
    if (does == effect::store) {
      if (is_strong(one)) say(nondeterminism, "'" + spelled(one) + "' tells other threads something meanwhile", one);
      into_.tells_others |= is_strong(one);
      return add({access::kind::write, address, stored, space_of(one) == space::global, false, one.at.line, one_.name});
    }
    into_.tells_others |= one.has("sys");
    add({access::kind::atomic, address, stored, space_of(one) == space::global, false, one.at.line, one_.name});
  }

  // st.param passes arguments and results; a kernel's own parameters are not written.
  void check_param_store(const instruction& one) {
    const operand& to = one.operands[0];
    const bool is_named = to.var != no_variable && all_.variables[to.var].in == space::param;
    const bool is_own =
        is_named && std::find(one_.parameters.begin(), one_.parameters.end(), to.var) != one_.parameters.end();
    if (!is_named || is_own) say(reason::against::both, "a store to a parameter is not understood", one);
  }

  void record_call(int index, const instruction& one, bool guard_differs) {
    using enum reason::against;
    into_.has_control = true;
    if (one.operands.empty() || one.operands[0].what != operand::kind::symbol) {
      return say(both, "a call through a pointer: what it does is not known", one);
    }
    const std::string called(one.operands[0].text.substr(0, 120));
    const summary* callee = flow_.callee_of(one);
    if (!callee) {
      const char* about = about_external(called);
      if (about) return say(both, "calls " + called + ": " + about, one);
      return say(both,
                 "calls " + called +
                     (callees_.has_body(one.operands[0].text) ? ", which calls itself, or is too deeply nested"
                                                              : ", whose code is not in this module"),
                 one);
    }
    for (const reason& each : callee->reasons) tell(each);
    const bool input_differs = flow_.passes_nondeterminism(one) || flow_.reads_what_differs(*callee);
    if (guard_differs || (callee->has_control && input_differs)) {
      say(nondeterminism, "calls " + called + " with values that may differ between runs", one);
    }
    if (callee->waits_if_repeated && is_in_loop(index)) {
      say(preemption, "calls " + called + " in a loop, which has an atomic: it may wait for other threads", one);
    }
    into_.waits_if_repeated |= callee->waits_if_repeated;
    into_.tells_others |= callee->tells_others;
    into_.reads_memory |= callee->reads_memory;
    into_.reads_shared |= callee->reads_shared;
    into_.shared_is_nondeterministic |= callee->shared_is_nondeterministic;
    for (access each : callee->accesses) {
      if (is_full_) return;
      each.target = flow_.at_call(one, each.target);
      each.stored = flow_.at_call(one, each.stored);
      if (one_.is_entry && !value_flow::may_be_global(each.target)) continue;
      add(each);
    }
  }

  void add(access one) {
    if (into_.accesses.size() < accesses_max) {
      into_.accesses.push_back(std::move(one));
    } else if (!is_full_) {
      is_full_ = true;
      into_.reasons.push_back({reason::against::both, "too many accesses to memory", one.line, name()});
    }
  }

  const function& one_;
  const flow_graph& graph_;
  const value_flow& flow_;
  const summaries& callees_;
  const module& all_;
  summary& into_;
  const std::vector<char>& before_;
  const std::vector<char> spins_;
  std::vector<int> reads_;
  int told_[4] = {};  // by reason::against
  bool is_full_ = false;
};

}  // namespace

summary summary_of(const function& one, summaries& callees) {
  summary result;
  for (const problem& each : one.problems) {
    result.reasons.push_back({reason::against::both, each.text, each.at.line, std::string(one.name)});
  }
  if (one.needs_cluster) {
    result.reasons.push_back({reason::against::both, "it is launched in clusters", one.at.line, std::string(one.name)});
  }
  if (one.body.empty() || !one.problems.empty()) return result;
  const flow_graph graph = graph_of(one);
  const std::vector<char> before = written_before(one, graph, callees.all());
  value_flow flow(one, graph, before, callees);
  if (!flow.run()) {
    result.reasons.push_back({reason::against::both, "too large to analyse", one.at.line, std::string(one.name)});
    return result;
  }
  recorder(one, graph, flow, before, callees, result).record();
  return result;
}

}  // namespace genesys::schedule
