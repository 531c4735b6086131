// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/address_keys.h"

#include "schedule/classify/opcodes.h"

namespace genesys::schedule {
namespace {

constexpr int depth_max = 64;
constexpr std::int64_t offset_max = std::int64_t{1} << 40;

bool is_far(std::int64_t offset) { return offset > offset_max || offset < -offset_max; }
// `%v.x`: its registers share one variable.
bool is_element(const operand& one) { return one.text.size() > 1 && one.text.find('.') != one.text.npos; }

void add_registers(const operand& one, std::vector<int>& into) {
  if (one.what == operand::kind::reg) into.push_back(one.var);
  if (one.what != operand::kind::vector) return;
  for (const operand& part : one.parts) add_registers(part, into);
}

}  // namespace

std::vector<int> written_registers(const instruction& one) {
  std::vector<int> result;
  for (const operand& each : one.results) add_registers(each, result);
  switch (effect_of(one)) {
    case effect::store:
    case effect::reduction:
    case effect::async_copy:
    case effect::surface_store:
    case effect::branch:
    case effect::leave:
    case effect::call:
      return result;
    default:
      break;
  }
  // The first operand of everything else, whether it is a result or not: too many only end more names.
  for (std::size_t i = 0; i < one.operands.size() && i < (one.has_two_results ? 2 : 1); ++i) {
    add_registers(one.operands[i], result);
  }
  if (effect_of(one) == effect::not_understood) {
    for (const operand& each : one.operands) add_registers(each, result);
  }
  return result;
}

bool is_function_of_operands(const instruction& one) {
  if (effect_of(one) != effect::compute || one.guard != no_variable || one.has_two_results) return false;
  for (std::string_view opcode : {"vote", "match", "redux", "elect", "activemask", "mma", "wgmma", "wmma", "addc",
                                  "subc", "madc", "txq", "suq", "createpolicy"}) {
    if (one.opcode == opcode) return false;
  }
  return !one.has("cc");  // carries are not seen
}

address_keys::address_keys(const function& one, const module& all)
    : one_(one),
      all_(all),
      definitions_(static_cast<std::size_t>(one.end_variable - one.first_variable)),
      defined_by_(definitions_.size(), -1),
      under_way_(definitions_.size(), 0) {
  for (std::size_t i = 0; i < one.body.size(); ++i) {
    for (int var : written_registers(one.body[i])) {
      ++definitions_[var - one.first_variable];
      defined_by_[var - one.first_variable] = static_cast<int>(i);
    }
  }
}

int address_keys::root(const std::string& text) {
  return roots_.emplace(text, static_cast<int>(roots_.size())).first->second;
}

address_key address_keys::of(const operand& address) {
  if (address.var == no_variable || !address.parts.empty() || is_element(address) || is_far(address.value)) return {};
  address_key key;
  if (all_.variables[address.var].in == space::reg) {
    key = of_register(address.var, 0);
  } else {
    key.root = root("variable " + std::to_string(address.var));
  }
  key.offset += address.value;
  return is_far(key.offset) ? address_key{} : key;
}

address_key address_keys::of_register(int var, int depth) {
  if (const auto found = known_.find(var); found != known_.end()) return found->second;
  const int index = var - one_.first_variable;
  if (definitions_[index] != 1 || depth > depth_max || under_way_[index]) return changing(var);
  under_way_[index] = 1;
  const address_key key = computed(var, one_.body[defined_by_[index]], depth + 1);
  under_way_[index] = 0;
  known_[var] = key;
  return key;
}

address_key address_keys::of_operand(const operand& one, int depth) {
  switch (one.what) {
    case operand::kind::reg:
      return is_element(one) ? address_key{} : of_register(one.var, depth);
    case operand::kind::special:
      if (kind_of_special(one.text) != special::fixed) return {};
      return {root("special " + std::string(one.text)), 0, no_variable};
    case operand::kind::symbol:
      if (one.var == no_variable || is_far(one.value)) return {};
      return {root("variable " + std::to_string(one.var)), one.value, no_variable};
    case operand::kind::immediate:
      if (one.is_integer && !is_far(one.value)) return {root("number"), one.value, no_variable};
      return {root("literal " + std::string(one.text)), 0, no_variable};
    default:
      return {};
  }
}

// The key of a register with one definition. Without operands that are fixed it is the register's own name.
address_key address_keys::computed(int var, const instruction& by, int depth) {
  const bool is_wide = all_.variables[var].element_bytes == 8;
  if (by.opcode == "ld" && space_of(by) == space::param && by.guard == no_variable && by.operands.size() == 2 &&
      by.operands[0].what == operand::kind::reg && !is_element(by.operands[0]) && by.operands[1].var != no_variable) {
    const operand& from = by.operands[1];
    for (int parameter : one_.parameters) {
      if (parameter != from.var) continue;
      std::string name = "parameter " + std::to_string(from.var) + "+" + std::to_string(from.value);
      for (std::string_view modifier : by.modifiers) name += "." + std::string(modifier);
      return {root(name), 0, no_variable};
    }
    return changing(var);
  }
  if (!is_function_of_operands(by) || by.operands.size() < 2 || by.operands[0].what != operand::kind::reg ||
      is_element(by.operands[0])) {
    return changing(var);
  }
  std::vector<address_key> from;
  for (std::size_t i = 1; i < by.operands.size(); ++i) {
    const address_key key = of_operand(by.operands[i], depth);
    if (key.root < 0 || is_far(key.offset) || key.changing != no_variable || by.operands[i].is_negated)
      return changing(var);
    from.push_back(key);
  }
  // Addresses in the generic and the global space are the same number.
  const bool copies = by.opcode == "mov" || (by.opcode == "cvta" && space_of(by) == space::global);
  if (copies && is_wide && from.size() == 1) return from[0];
  if (by.opcode == "add" && is_wide && from.size() == 2 && (by.has("s64") || by.has("u64"))) {
    const int plain = root("number");
    if (from[1].root == plain) return {from[0].root, from[0].offset + from[1].offset, no_variable};
    if (from[0].root == plain) return {from[1].root, from[0].offset + from[1].offset, no_variable};
  }
  std::string name(by.opcode);
  for (std::string_view modifier : by.modifiers) name += "." + std::string(modifier);
  for (const address_key& key : from) name += " " + std::to_string(key.root) + "+" + std::to_string(key.offset);
  return {root(name), 0, no_variable};
}

}  // namespace genesys::schedule
