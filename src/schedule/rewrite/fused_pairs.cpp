// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/fused_pairs.h"

#include <algorithm>
#include <unordered_set>

namespace genesys::schedule {

// With a rounding (`mul.rn.f32`) an operation stays as it is.
bool may_be_fused(const instruction& one) {
  if (one.opcode != "mul" && one.opcode != "add" && one.opcode != "sub") return false;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return one.has(name); });
  };
  return is_one_of({"f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "f32x2"}) && !is_one_of({"rn", "rz", "rm", "rp"});
}

bool separates_fused_pair(const function& one, int first, int at, int end) {
  std::unordered_set<int> products;
  for (int i = first; i < end; ++i) {
    const instruction& each = one.body[i];
    const bool is_sum = each.opcode != "mul" && may_be_fused(each);
    for (std::size_t k = 1; i > at && is_sum && k < each.operands.size(); ++k) {
      if (products.count(each.operands[k].var)) return true;
    }
    if (each.operands.empty() || each.operands[0].what != operand::kind::reg) continue;
    products.erase(each.operands[0].var);
    if (i < at && each.opcode == "mul" && may_be_fused(each)) products.insert(each.operands[0].var);
  }
  return false;
}

}  // namespace genesys::schedule
