// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/module_variables.h"

#include <map>
#include <string_view>

namespace genesys::schedule {
namespace {

struct found_in_function {
  bool has_variables = false;
  std::set<std::string_view> calls;
};

bool names_variable(const module& all, const operand& one) {
  if (one.var != no_variable) {
    const variable& named = all.variables[static_cast<std::size_t>(one.var)];
    if (named.is_module_wide && named.in != space::shared && named.in != space::reg && named.in != space::param)
      return true;
  }
  for (const operand& part : one.parts) {
    if (names_variable(all, part)) return true;
  }
  return false;
}

found_in_function look_into(const module& all, const function& one) {
  found_in_function result;
  for (const instruction& each : one.body) {
    for (const auto* list : {&each.operands, &each.results, &each.inputs}) {
      for (const operand& part : *list) result.has_variables |= names_variable(all, part);
    }
    if (each.opcode != "call" || each.operands.empty()) continue;
    result.calls.insert(each.operands[0].text);
  }
  return result;
}

}  // namespace

std::set<std::string> kernels_with_variables(const module& all) {
  std::map<std::string_view, found_in_function> functions;
  for (const function& each : all.functions) {
    if (each.has_body) functions[each.name] = look_into(all, each);
  }
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (auto& [name, one] : functions) {
      if (one.has_variables) continue;
      for (const std::string_view called : one.calls) {
        const auto callee = functions.find(called);
        if (callee != functions.end() && !callee->second.has_variables) continue;
        is_changed = one.has_variables = true;
        break;
      }
    }
  }
  std::set<std::string> result;
  for (const function& each : all.functions) {
    if (each.is_entry && each.has_body && functions[each.name].has_variables) result.emplace(each.name);
  }
  return result;
}

}  // namespace genesys::schedule
