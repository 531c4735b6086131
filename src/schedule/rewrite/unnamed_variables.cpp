// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/unnamed_variables.h"

#include <unordered_map>
#include <vector>

#include "schedule/ptx/ptx_tokens.h"
#include "schedule/rewrite/text_edit.h"

namespace genesys::schedule {
namespace {

struct statement {
  std::size_t begin, end;  // tokens; the last one is the semicolon
  std::string_view name;
};

bool begins_declaration(std::string_view word) {
  return word == ".visible" || word == ".weak" || word == ".extern" || word == ".common" || word == ".global" ||
         word == ".const";
}

// The declarations of single variables in global and constant memory, outside of functions. `.address_size 64` and
// other directives end without a semicolon.
std::vector<statement> declarations_of(const std::vector<token>& tokens, const std::set<std::string>& candidates) {
  std::vector<statement> result;
  statement now{};
  bool has_begun = false, is_variable = false, is_single = true;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const token& one = tokens[i];
    const bool opens = one.is('{') || one.is('(') || one.is('['), closes = one.is('}') || one.is(')') || one.is(']');
    depth += opens;
    depth -= closes;
    if (depth != 0 || opens) continue;
    if (!has_begun && begins_declaration(one.text)) {
      has_begun = true;
      now.begin = i;
    }
    is_variable |= one.text == ".global" || one.text == ".const";
    is_single &= !one.is(',');
    if (has_begun && now.name.empty() && one.kind == token_kind::word && one.text[0] != '.') now.name = one.text;
    if (!one.is(';') && !(one.is('}') && !is_variable)) continue;
    now.end = i;
    if (is_variable && is_single && candidates.count(std::string(now.name)) != 0) result.push_back(now);
    now = {};
    has_begun = is_variable = false;
    is_single = true;
  }
  return result;
}

}  // namespace

std::string without_unnamed(std::string_view ptx, const std::set<std::string>& candidates) {
  const std::vector<token> tokens = tokens_of(ptx);
  std::unordered_map<std::string_view, int> named;
  for (const token& each : tokens) {
    if (each.text == ".section") return std::string(ptx);
    if (each.kind == token_kind::word) ++named[each.text];
  }
  std::vector<statement> left = declarations_of(tokens, candidates);
  text_edit edit(ptx);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::erase_if(left, [&](const statement& one) {
      if (named[one.name] != 1) return false;
      for (std::size_t i = one.begin; i <= one.end; ++i) {
        if (tokens[i].kind == token_kind::word) --named[tokens[i].text];
      }
      edit.replace(tokens[one.begin].at.offset, tokens[one.end].at.offset + 1, "");
      return is_changed = true;
    });
  }
  return edit.made();
}

}  // namespace genesys::schedule
