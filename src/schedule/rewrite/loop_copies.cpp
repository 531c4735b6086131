// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/loop_copies.h"

#include <algorithm>

#include "schedule/opcodes.h"
#include "schedule/rewrite/fused_pairs.h"

namespace genesys::schedule {
namespace {

std::string_view body_of(const function& one, std::string_view text, int first, int latch) {
  const std::uint32_t start = one.body[first].at.offset;
  return text.substr(start, one.body[latch - 1].end_offset - start);
}

}  // namespace

bool can_be_copied(const function& one, std::string_view text, int first, int latch) {
  if (latch <= first) return false;
  const instruction& back = one.body[latch];
  if (back.opcode != "bra" || back.guard == no_variable || back.targets != std::vector<int>{first}) return false;
  for (int i = first; i < latch; ++i) {
    const bool is_call = effect_of(one.body[i]) == effect::call;
    if (is_call || may_be_fused(one.body[i])) return false;
  }
  const std::string_view whole = text.substr(one.body[first].at.offset, back.at.offset - one.body[first].at.offset);
  const std::vector<token> tokens = tokens_of(whole);
  return std::none_of(tokens.begin(), tokens.end(), [](const token& each) {
    const bool is_directive = each.kind == token_kind::word && each.text.starts_with('.') && each.text != ".loc";
    return is_directive || each.kind == token_kind::wrong || each.is('{') || each.is('}') || each.is(':');
  });
}

std::string copies_of(const module& all, const function& one, std::string_view text, int first, int latch,
                      unsigned copies, std::string_view done) {
  const std::string_view body = body_of(one, text, first, latch);
  const instruction& back = one.body[latch];
  std::string result;
  for (unsigned i = 1; i < copies; ++i) {
    result += body;
    result += back.guard_is_negated ? "\n@" : "\n@!";
    result += all.variables[back.guard].name;
    result += " bra ";
    result += done;
    result += ";\n";
  }
  return result;
}

}  // namespace genesys::schedule
