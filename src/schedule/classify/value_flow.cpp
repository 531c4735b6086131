// SPDX-License-Identifier: Apache-2.0
// The fixed point, and what registers hold after arithmetic. value_memory.cpp has loads, stores and calls.
#include "schedule/classify/value_flow.h"

#include <algorithm>

#include "schedule/classify/address_keys.h"
#include "schedule/classify/wait_loops.h"

namespace genesys::schedule {
namespace {

constexpr int passes_max = 200;
// Instructions times passes: a bound on the time for hostile text.
constexpr std::size_t transfers_max = 20'000'000;

// What a factor from here on may shift half of a pointer into the upper half.
constexpr std::int64_t large_factor = 1 << 16;
constexpr std::int64_t large_shift = 16;

// Of the lanes that happen to be together, not of lanes that are named.
bool depends_on_active_lanes(const instruction& one) {
  const bool is_vote = one.opcode == "vote" || one.opcode == "match" || one.opcode == "shfl";
  return one.opcode == "activemask" || (is_vote && !one.has("sync"));
}

}  // namespace

value_flow::value_flow(const function& one, const flow_graph& graph, const std::vector<char>& before,
                       summaries& callees)
    : one_(one),
      before_(before),
      callees_(callees),
      all_(callees.all()),
      registers_(static_cast<std::size_t>(one.end_variable - one.first_variable)),
      only_definition_(registers_.size(), nullptr),
      pure_waits_(pure_wait_loops(one, graph)) {
  std::vector<int> definitions(registers_.size(), 0);
  for (const instruction& each : one.body) {
    for (int var : written_registers(each)) {
      const int index = var - one.first_variable;
      only_definition_[index] = ++definitions[index] == 1 ? &each : nullptr;
    }
  }
  for (std::size_t i = 0; i < one.parameters.size(); ++i) {
    const variable& formal = all_.variables[one.parameters[i]];
    if (formal.in != space::reg) continue;
    const base from{base::kind::formal, static_cast<std::int32_t>(i), 0};
    registers_[one.parameters[i] - one.first_variable] =
        of_base(from, formal.element_bytes >= 8 ? strength::full : strength::half);
  }
}

bool value_flow::run() {
  for (int pass = 0; pass < passes_max; ++pass) {
    changed_ = false;
    for (std::size_t i = 0; i < one_.body.size() && steps_ <= transfers_max; ++i) transfer(static_cast<int>(i));
    if (steps_ > transfers_max) return false;
    if (!changed_) return true;
    steps_ += one_.body.size();
  }
  return false;
}

unsigned value_flow::bytes_of(const operand& reg) const {
  return reg.var == no_variable ? 0 : all_.variables[reg.var].element_bytes;
}

value value_flow::of(const operand& one) const {
  switch (one.what) {
    case operand::kind::reg:
      return registers_[one.var - one_.first_variable];
    case operand::kind::special: {
      value result = number();
      const special kind = kind_of_special(one.text);
      if (kind == special::workspace || kind == special::not_understood) return unknown();
      result.is_nondeterministic = kind == special::nondeterministic;
      return result;
    }
    case operand::kind::symbol: {
      if (one.var == no_variable) return number();  // a function
      const variable& named = all_.variables[one.var];
      const std::int32_t index = named.in == space::shared || named.in == space::local ? 0 : one.var;
      switch (named.in) {
        case space::global:
          return of_base({base::kind::global, index, 0});
        case space::shared:
          return of_base({base::kind::shared, index, 0});
        case space::local:
          return of_base({base::kind::local, index, 0});
        case space::constant:
          return of_base({base::kind::constant, index, 0});
        case space::param: {
          const int position = position_of_parameter(one.var);
          if (!one_.is_entry || position < 0) return unknown();
          return of_base({base::kind::parameter_address, position, 0});
        }
        default:
          return unknown();
      }
    }
    case operand::kind::vector: {
      value result = number();
      for (const operand& each : one.parts) result = sum(result, of(each));
      return result;
    }
    default:
      return number();
  }
}

value value_flow::guard_of(const instruction& one) const {
  return one.guard == no_variable ? number() : registers_[one.guard - one_.first_variable];
}

value value_flow::address_of(const operand& one) const {
  operand plain = one;
  plain.what = one.var != no_variable && all_.variables[one.var].in == space::reg ? operand::kind::reg
               : one.var != no_variable                                           ? operand::kind::symbol
                                                                                  : operand::kind::immediate;
  return of(plain);
}

void value_flow::assign(const operand& to, const value& what, const instruction& by) {
  if (to.what == operand::kind::vector) {
    for (const operand& each : to.parts) assign(each, what, by);
    return;
  }
  if (to.what != operand::kind::reg) return;
  value given = bytes_of(to) >= 8 ? what : halves(what);
  given.is_nondeterministic |= guard_of(by).is_nondeterministic;
  changed_ |= join(registers_[to.var - one_.first_variable], given);
}

void value_flow::transfer(int index) {
  const instruction& one = one_.body[index];
  switch (effect_of(one)) {
    case effect::compute:
    case effect::shuffle:
      return compute(one);
    case effect::load:
    case effect::texture_load:
      return load(one);
    case effect::store:
    case effect::atomic:
    case effect::reduction:
    case effect::async_copy:
      return store(one);
    case effect::call:
      return call(one);
    case effect::barrier:
    case effect::wait_result: {  // barrier.red, mbarrier.arrive, mbarrier.test_wait
      value result = number();
      for (const operand& each : one.operands) result.is_nondeterministic |= of(each).is_nondeterministic;
      // The state that an arrival gives has the count of those to come; only a wait should look at it.
      result.is_nondeterministic |= one.opcode == "mbarrier";
      if (pure_waits_[index]) result.is_nondeterministic = false;
      const bool has_result = one.has("red") || one.opcode == "mbarrier";
      if (has_result && !one.operands.empty()) assign(one.operands[0], result, one);
      return;
    }
    case effect::branch:
    case effect::leave:
    case effect::nothing:
    case effect::sleep:
    case effect::trap:
    case effect::surface_store:
      return;
    default:  // whatever it does, its results are unknown
      for (const operand& each : one.operands) assign(each, unknown(), one);
  }
}

// With the mark that something was subtracted, unless that is an index for certain: 32 bits from memory, or a parameter
// that is too small for a pointer. (Halves of pointers that are subtracted with a carry are whole before.)
value value_flow::negated(const value& of) const {
  value result;
  result.is_nondeterministic = of.is_nondeterministic;
  for (const term& one : of.terms) {
    const bool is_index = std::all_of(one.begin(), one.end(), [this](const part& each) {
      if (each.how != strength::half) return false;
      if (each.of.what != base::kind::parameter) return each.of.what == base::kind::loaded;
      return all_.variables[one_.parameters[each.of.index]].bytes < 8;
    });
    const value plain{{one}, false};
    join(result, is_index ? plain : sum(plain, of_base({base::kind::negated, 0, 0})));
  }
  return result;
}

// A product of 64 bits keeps where its factors come from: an index may be part of an address, and pointers divided and
// multiplied again are pointers.
value value_flow::product(const instruction& one, const operand& a, const operand& b) const {
  const operand& factor = a.what == operand::kind::immediate ? a : b;
  const value& other = of(a.what == operand::kind::immediate ? b : a);
  if (factor.what != operand::kind::immediate || !factor.is_integer) {
    return sum(scaled(of(a), false), scaled(of(b), false));
  }
  if (one.has("hi") || factor.value >= large_factor || factor.value <= -large_factor) return wholes(other);
  if (factor.value < 0) return negated(other);
  return factor.value >= 2 ? scaled(other, true) : other;
}

value value_flow::shifted(const instruction& one) const {
  if (one.operands.size() < 3) return unknown();
  const operand& by = one.operands[2];
  const value from = of(one.operands[1]);
  if (by.what != operand::kind::immediate || !by.is_integer) {
    value result = wholes(from);
    result.is_nondeterministic |= of(by).is_nondeterministic;
    return result;
  }
  if (by.value >= large_shift || by.value < 0) return wholes(from);
  return by.value >= 1 ? scaled(from, true) : from;
}

void value_flow::compute(const instruction& one) {
  const std::size_t results = one.has_two_results ? 2 : 1;
  if (one.operands.size() < results) return;
  const auto source = [&](std::size_t i) { return i < one.operands.size() ? of(one.operands[i]) : number(); };
  const operand& to = one.operands[0];
  const std::string_view opcode = one.opcode;
  value all = number();
  for (std::size_t i = results; i < one.operands.size(); ++i) all = sum(all, source(i));
  value result = all;
  const bool is_test = opcode == "setp" || opcode == "set" || opcode == "testp" || opcode == "isspacep" ||
                       opcode == "vote" || opcode == "match" || opcode == "elect" || opcode == "activemask";
  if (is_test) {
    result = number();
    result.is_nondeterministic = all.is_nondeterministic || depends_on_active_lanes(one);
  } else if (opcode == "mov" && one.operands[1 % one.operands.size()].what == operand::kind::vector) {
    result = wholes(all);
  } else if (opcode == "bfi") {
    result = wholes(all);
  } else if (opcode == "sub" || opcode == "subc") {
    const value carried = opcode == "subc" || one.has("cc") ? wholes(source(2)) : source(2);
    const value marked = negated(carried);
    result = sum(source(1), opcode == "sub" && !one.has("cc") ? marked : halves(marked));
  } else if (opcode == "neg" || opcode == "not" || opcode == "xor" || opcode == "lop3") {
    result = negated(all);
  } else if (opcode == "selp" || opcode == "slct") {
    result = source(1);
    join(result, source(2));
    result.is_nondeterministic |= all.is_nondeterministic;
  } else if (opcode == "shl") {
    result = shifted(one);
  } else if (opcode == "mul" && one.operands.size() == 3) {
    result = product(one, one.operands[1], one.operands[2]);
  } else if (opcode == "mad" && one.operands.size() == 4) {
    result = sum(product(one, one.operands[1], one.operands[2]), source(3));
  } else if (opcode == "cvta" && !one.has("to") && space_of(one) != space::global && space_of(one) != space::param) {
    const space in = space_of(one);
    const base::kind what = in == space::shared  ? base::kind::shared
                            : in == space::local ? base::kind::local
                                                 : base::kind::constant;
    result = in == space::generic ? unknown() : of_base({what, 0, 0});
    result.is_nondeterministic |= all.is_nondeterministic;
  } else if (effect_of(one) == effect::shuffle) {
    result = source(results);
    result.is_nondeterministic |= all.is_nondeterministic || depends_on_active_lanes(one);
  }
  assign(to, result, one);
  if (results == 2) {
    value flag = number();
    flag.is_nondeterministic = all.is_nondeterministic;
    assign(one.operands[1], flag, one);
  }
}

bool value_flow::may_be(const value& address, base::kind what) {
  if (address.terms.empty()) return true;
  return std::any_of(address.terms.begin(), address.terms.end(), [what](const term& one) {
    bool has_base = false;
    for (const part& each : one) {
      if (each.how != strength::full || each.of.what == base::kind::negated) continue;
      if (each.of.what == what || each.of.what == base::kind::anything || each.of.what == base::kind::loaded ||
          each.of.what == base::kind::formal) {
        return true;
      }
      has_base = true;
    }
    return !has_base;
  });
}

bool value_flow::may_be_global(const value& address) {
  if (address.terms.empty()) return true;
  return std::any_of(address.terms.begin(), address.terms.end(), [](const term& one) {
    if (may_be_difference(one)) return true;
    bool is_own = false;
    for (const part& each : one) {
      if (each.how == strength::half || each.of.what == base::kind::negated) continue;
      if (each.of.what == base::kind::shared || each.of.what == base::kind::local) {
        is_own |= each.how == strength::full;
      } else if (each.how == strength::full) {
        return true;
      }
    }
    return !is_own;
  });
}

}  // namespace genesys::schedule
