// SPDX-License-Identifier: Apache-2.0
// The part of the data flow that goes through calls: what a callee's summary means for this call's arguments.
#include <algorithm>

#include "schedule/classify/value_flow.h"

namespace genesys::schedule {

// What a call passes for a word of a parameter of its callee.
value value_flow::passed(const instruction& call, int position, std::uint64_t offset) const {
  if (position < 0 || position >= static_cast<int>(call.inputs.size())) return unknown();
  const operand& input = call.inputs[position];
  if (input.what == operand::kind::reg || input.what == operand::kind::immediate) {
    return offset == 0 ? of(input) : unknown();
  }
  if (input.what != operand::kind::symbol || input.var == no_variable) return unknown();
  const auto found = params_.find(input.var);
  if (found == params_.end()) return unknown();
  // One store of the whole word, or several of its parts; a mixture of both is not followed.
  value whole, parts = number();
  bool has_parts = false;
  for (const auto& [at, each] : found->second) {
    if (at >= offset + 8 || offset >= at + each.bytes) continue;
    if (at == offset && each.bytes >= 8) {
      whole = each.what;
    } else {
      parts = sum(parts, each.what);
      has_parts = true;
    }
  }
  if (has_parts) return whole.terms.empty() ? wholes(parts) : unknown();
  return whole.terms.empty() ? unknown() : whole;
}

value value_flow::at_call(const instruction& call, const value& of_callee) const {
  value result;
  result.is_nondeterministic = of_callee.is_nondeterministic;
  for (const term& one : of_callee.terms) {
    value alternatives = number();
    for (const part& each : one) {
      value more = of_base(each.of, each.how);
      if (each.of.what == base::kind::formal) {
        more = passed(call, each.of.index, each.of.offset);
        if (each.how == strength::half) more = halves(more);
        if (each.how == strength::scaled) more = scaled(more, false);
      }
      alternatives = sum(alternatives, more);
    }
    join(result, alternatives);
  }
  return result;
}

const summary* value_flow::callee_of(const instruction& call) const {
  if (call.operands.empty() || call.operands[0].what != operand::kind::symbol) return nullptr;
  return callees_.find(call.operands[0].text);
}

bool value_flow::passes_nondeterminism(const instruction& call) const {
  for (const operand& input : call.inputs) {
    if (of(input).is_nondeterministic && input.what == operand::kind::reg) return true;
    const auto found = input.var == no_variable ? params_.end() : params_.find(input.var);
    if (found == params_.end()) continue;
    for (const auto& [at, each] : found->second) {
      if (each.what.is_nondeterministic) return true;
    }
  }
  return false;
}

bool value_flow::reads_what_differs(const summary& callee) const {
  return (callee.reads_memory && (in_local_.is_nondeterministic || global_is_nondeterministic_)) ||
         (callee.reads_shared && in_shared_.is_nondeterministic);
}

void value_flow::call(const instruction& one) {
  const summary* callee = callee_of(one);
  const bool is_nondeterministic =
      !callee || passes_nondeterminism(one) || guard_of(one).is_nondeterministic || reads_what_differs(*callee);
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    const operand& result = one.results[i];
    const auto give = [&](std::uint64_t offset, value given, unsigned bytes) {
      given.is_nondeterministic |= is_nondeterministic;
      if (result.what == operand::kind::reg) return assign(result, given, one);
      if (result.var == no_variable) return;
      piece& into = params_[result.var][offset];
      changed_ |= join(into.what, given);
      into.bytes = std::max(into.bytes, bytes);
    };
    bool has_any = false;
    if (callee) {
      for (const auto& [where, what] : callee->results) {
        if (where.first != static_cast<int>(i)) continue;
        has_any = true;
        give(where.second, at_call(one, what), 8);
      }
    }
    if (!has_any) give(0, unknown(), 1U << 30);
  }
  if (!callee) return;
  steps_ += 20 * callee->accesses.size();
  for (const access& each : callee->accesses) {
    if (each.what == access::kind::read) continue;
    value stored = at_call(one, each.stored);
    stored.is_nondeterministic |= is_nondeterministic;
    keep(at_call(one, each.target), space::generic, stored, false);
  }
  if (callee->shared_is_nondeterministic && !in_shared_.is_nondeterministic) {
    in_shared_.is_nondeterministic = changed_ = true;
  }
}

std::map<std::pair<int, std::uint64_t>, value> value_flow::results() const {
  std::map<std::pair<int, std::uint64_t>, value> result;
  for (std::size_t i = 0; i < one_.results.size(); ++i) {
    const int var = one_.results[i];
    const int position = static_cast<int>(i);
    if (all_.variables[var].in == space::reg) {
      result[{position, 0}] = registers_[var - one_.first_variable];
    } else if (const auto found = params_.find(var); found != params_.end()) {
      for (const auto& [at, each] : found->second) result[{position, at}] = each.what;
    }
  }
  return result;
}

}  // namespace genesys::schedule
