// SPDX-License-Identifier: Apache-2.0
// A module of PTX as data: functions, variables, instructions, with their positions in the text, so that a rewriter can
// insert text. Made by parse_ptx(); the analysis reads it. All texts point into the text that was parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/ptx/ptx_tokens.h"

namespace genesys::schedule {

// State spaces of PTX. `generic`: an instruction without one.
enum class space { generic, reg, param, shared, local, global, constant };

inline constexpr int no_variable = -1;

struct variable {
  std::string_view name;
  space in = space::generic;
  unsigned element_bytes = 0;  // of the type; predicates: 0
  std::uint64_t bytes = 0;     // of the whole array; 0 for an array without a size
  unsigned align = 1;
  bool is_pointer = false;  // a parameter with the attribute .ptr
  bool is_module_wide = false;
  position at;
};

struct operand {
  enum class kind { reg, symbol, special, immediate, address, vector, sink, other };
  kind what = kind::other;
  int var = no_variable;       // reg; symbol and address: the variable that is named, if it is one
  std::string_view text;       // the name as written
  bool is_negated = false;     // !%p
  std::int64_t value = 0;      // immediate: its value if it is an integer; address, symbol: what is added
  bool is_integer = false;     // immediate
  std::vector<operand> parts;  // vector: its elements; address: coordinates of a texture, if any
};

struct instruction {
  std::string_view opcode;                  // `ld`
  std::vector<std::string_view> modifiers;  // `global`, `f32`
  int guard = no_variable;                  // @%p
  bool guard_is_negated = false;
  std::vector<operand> operands;  // of a call: what is called, then a prototype
  bool has_two_results = false;   // the first two operands are results: `setp %p|%q, a, b`
  std::vector<operand> results;   // of a call
  std::vector<operand> inputs;    // of a call
  std::vector<int> targets;       // of a branch: indices of instructions; the number of instructions: the end
  position at;                    // of the guard or the opcode
  std::uint32_t end_offset = 0;   // behind the semicolon

  bool has(std::string_view modifier) const {
    for (std::string_view one : modifiers) {
      if (one == modifier) return true;
    }
    return false;
  }
};

// Something that the parser or the analysis does not understand.
struct problem {
  std::string text;
  position at;
};

struct function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  bool needs_cluster = false;   // .explicitcluster, .reqnctapercluster
  std::vector<int> parameters;  // indices of variables
  std::vector<int> results;     // indices of variables
  std::vector<instruction> body;
  std::vector<problem> problems;
  position at;
  std::uint32_t name_end_offset = 0;                               // behind the name
  std::uint32_t parameters_offset = 0, parameters_end_offset = 0;  // the parentheses of the parameters; 0: none
  std::uint32_t body_offset = 0, body_end_offset = 0;              // the braces of the body
  int first_variable = 0, end_variable = 0;                        // its own variables, in module::variables
};

struct module {
  std::vector<variable> variables;
  std::vector<function> functions;
  std::vector<problem> problems;  // outside of functions
  // What .version, .target and .address_size say, as written: `9.0`, `sm_90`, `64`. Empty: the text does not say.
  std::string_view version, target, address_size;

  // The function with this name that has a body; else one without; else null.
  const function* find(std::string_view name) const;
};

// Never throws because of the text, and takes time in proportion to it. What is not understood is in the problems.
module parse_ptx(std::string_view text);
module parse_ptx(std::string&& text) = delete;  // the module would outlive the text

}  // namespace genesys::schedule
