// SPDX-License-Identifier: Apache-2.0
// What the parts of the PTX parser share: the place in the tokens, the names, and the list that problems go to.
// ptx_parser.cpp reads modules and functions, ptx_declarations.cpp variables, ptx_instructions.cpp instructions.
#pragma once

#include <optional>

#include "schedule/ptx/ptx_names.h"

namespace genesys::schedule {

struct ptx_cursor {
  std::string_view text;
  std::vector<token> tokens;
  std::size_t next = 0;
  module all;
  names known{all};
  std::vector<problem>* problems = &all.problems;  // of the module, or of the function that is being read

  const token& peek(std::size_t ahead = 0) const {
    return tokens[next + ahead < tokens.size() ? next + ahead : tokens.size() - 1];
  }
  token take() {
    const token one = peek();
    if (next + 1 < tokens.size()) ++next;
    return one;
  }
  bool take(char mark) {
    if (!peek().is(mark)) return false;
    take();
    return true;
  }
  bool at_end() const { return peek().kind == token_kind::end; }

  void complain(std::string what, position at) {
    constexpr std::size_t problems_max = 16;  // each alone is enough to refuse a kernel
    if (problems->size() < problems_max) problems->push_back({std::move(what), at});
  }
  // Says that a token is not understood, and goes behind the next semicolon, or before the next brace.
  void skip_statement();
  // From an opening brace behind the closing one.
  void skip_braces();
};

// `.b64`: 8. 0: no type. `.pred` has a size of 0 as well, and is a type.
struct type_size {
  unsigned bytes = 0;
  bool is_type = false;
};
type_size size_of_type(std::string_view type);

// An integer as PTX writes it, without a sign: 12, 0x1F, 017, 0b11, each with or without U.
std::optional<std::int64_t> integer_of(std::string_view number);

// Declarations, up to the semicolon. `where` is the directive that was taken, as `.reg`. False: not understood.
bool parse_variables(ptx_cursor& in, space where);
// The list in parentheses of a function's parameters or results. Registers of a .func are parameters, too.
bool parse_parameters(ptx_cursor& in, std::vector<int>& into);

// One instruction with its guard, up to its semicolon. False: not understood; then no instruction was added.
bool parse_instruction(ptx_cursor& in, function& into);

}  // namespace genesys::schedule
