// SPDX-License-Identifier: Apache-2.0
// Modules, functions and statements of PTX. parse_ptx() is in ptx_module.h.
#include <utility>

#include "schedule/ptx/ptx_cursor.h"

namespace genesys::schedule {

void ptx_cursor::skip_statement() {
  const token& first = peek();
  complain(at_end() ? "the text ends in the middle" : "not understood: '" + std::string(first.text.substr(0, 60)) + "'",
           first.at);
  while (!at_end() && !peek().is('{') && !peek().is('}')) {
    if (take().is(';')) return;
  }
}

void ptx_cursor::skip_braces() {
  unsigned depth = 0;
  do {
    if (at_end()) {
      complain("a brace is not closed", peek().at);
      return;
    }
    const token one = take();
    depth += one.is('{');
    depth -= one.is('}');
  } while (depth > 0);
}

const function* module::find(std::string_view name) const {
  const function* found = nullptr;
  for (const function& one : functions) {
    if (one.name == name && (!found || one.has_body)) found = &one;
  }
  return found;
}

namespace {

std::pair<space, bool> space_of(std::string_view directive) {
  if (directive == ".reg") return {space::reg, true};
  if (directive == ".param") return {space::param, true};
  if (directive == ".shared") return {space::shared, true};
  if (directive == ".local") return {space::local, true};
  if (directive == ".global" || directive == ".tex") return {space::global, true};
  if (directive == ".const") return {space::constant, true};
  return {space::generic, false};
}

class parser {
 public:
  explicit parser(std::string_view text) {
    in_.text = text;
    in_.tokens = tokens_of(text);
  }

  module parse() {
    while (!in_.at_end()) parse_top();
    return std::move(in_.all);
  }

 private:
  // .loc 1 5 6, function_name $x+8, inlined_at 1 7 8 (and no semicolon: an instruction may follow on the line)
  void skip_loc() {
    in_.take();
    const auto skip_numbers = [this] {
      for (int i = 0; i < 3 && in_.peek().kind == token_kind::number; ++i) in_.take();
    };
    skip_numbers();
    while (in_.take(',')) {
      const std::string_view what = in_.take().text;
      if (what == "inlined_at") {
        skip_numbers();
      } else if (what == "function_name") {
        in_.take();
        if (in_.take('+')) in_.take();
      } else {
        in_.complain("a .loc directive is not understood", in_.peek().at);
      }
    }
  }

  // Debug information and the like. False: it is something else, and nothing was taken.
  bool skip_noise() {
    const token first = in_.peek();
    if (first.text == ".loc") {
      skip_loc();
    } else if (first.text == ".file") {  // .file 1 "a.cu", 1234, 5678
      in_.take();
      while (in_.peek().kind == token_kind::number || in_.peek().kind == token_kind::text || in_.peek().is(','))
        in_.take();
    } else if (first.text == ".version" || first.text == ".address_size") {
      in_.take();
      const token number = in_.take();
      if (number.kind != token_kind::number) in_.skip_statement();
      (first.text == ".version" ? in_.all.version : in_.all.address_size) = number.text;
    } else if (first.text == ".target") {  // .target sm_90, debug
      do {
        in_.take();
        const token name = in_.take();
        if (name.kind != token_kind::word) in_.skip_statement();
        if (in_.all.target.empty()) in_.all.target = name.text;
      } while (in_.peek().is(','));
    } else if (first.text == ".section") {
      while (!in_.at_end() && !in_.peek().is('{')) in_.take();
      in_.skip_braces();
    } else if (first.text == ".pragma") {
      in_.take();
      while (in_.peek().kind == token_kind::text || in_.peek().is(',')) in_.take();
      if (!in_.take(';')) in_.skip_statement();
    } else {
      return false;
    }
    return true;
  }

  void parse_top() {
    if (in_.peek().is('}') || in_.peek().is('{')) {  // what stands in braces without a function is not understood
      in_.complain("a brace outside of a function", in_.peek().at);
      in_.take();
      return;
    }
    if (in_.take(';') || skip_noise()) return;
    while (in_.peek().text == ".visible" || in_.peek().text == ".extern" || in_.peek().text == ".weak" ||
           in_.peek().text == ".common") {
      in_.take();
    }
    const token first = in_.peek();
    if (first.text == ".entry" || first.text == ".func") return parse_function();
    if (const auto [where, is_space] = space_of(first.text); is_space && where != space::reg && where != space::param) {
      in_.take();
      if (!parse_variables(in_, where)) in_.skip_statement();
      return;
    }
    in_.skip_statement();
  }

  void parse_function() {
    function one;
    const token kind = in_.take();
    one.at = kind.at;
    one.is_entry = kind.text == ".entry";
    one.first_variable = static_cast<int>(in_.all.variables.size());
    in_.known.open();
    in_.problems = &one.problems;
    if (!parse_header(one)) in_.skip_statement();
    if (in_.peek().is('{')) {
      one.has_body = true;
      parse_body(one);
    } else if (!in_.take(';') && one.problems.empty()) {
      in_.complain("a function without a body or a semicolon", in_.peek().at);
    }
    in_.problems = &in_.all.problems;
    in_.known.forget_scopes();
    one.end_variable = static_cast<int>(in_.all.variables.size());
    if (in_.all.functions.size() >= functions_max) {
      in_.complain("too many functions", one.at);
      return;
    }
    in_.all.functions.push_back(std::move(one));
  }

  bool parse_header(function& into) {
    if (!into.is_entry && in_.peek().is('(') && !parse_parameters(in_, into.results)) return false;
    const token name = in_.take();
    if (name.kind != token_kind::word || name.text[0] == '.') return false;
    into.name = name.text;
    into.name_end_offset = name.at.offset + static_cast<std::uint32_t>(name.text.size());
    if (in_.peek().is('(')) {
      into.parameters_offset = in_.peek().at.offset;
      if (!parse_parameters(in_, into.parameters)) return false;
      into.parameters_end_offset = in_.tokens[in_.next - 1].at.offset;
    }
    while (in_.peek().kind == token_kind::word) {  // .maxntid 256, 1, 1
      const std::string_view directive = in_.take().text;
      if (directive == ".explicitcluster" || directive == ".reqnctapercluster" || directive == ".maxclusterrank" ||
          directive == ".blocksareclusters") {
        into.needs_cluster = true;
      } else if (directive != ".maxntid" && directive != ".reqntid" && directive != ".minnctapersm" &&
                 directive != ".maxnctapersm" && directive != ".maxnreg" && directive != ".noreturn" &&
                 directive != ".abi_preserve" && directive != ".abi_preserve_control") {
        return false;
      }
      while (in_.peek().kind == token_kind::number || in_.peek().is(',')) in_.take();
    }
    return true;
  }

  void parse_body(function& into) {
    into.body_offset = in_.peek().at.offset;
    const std::size_t outside = in_.known.depth();
    pending_.clear();
    do {
      if (in_.at_end()) {
        in_.complain("the text ends in the middle of a function", in_.peek().at);
        break;
      }
      parse_statement(into);
      into.body_end_offset = in_.tokens[in_.next - 1].at.offset;
    } while (in_.known.depth() > outside);
    resolve_branches(into);
  }

  void parse_statement(function& into) {
    if (in_.peek().is('{')) {
      if (!in_.known.open()) {
        in_.complain("braces are nested too deeply", in_.peek().at);
        in_.skip_braces();
        return;
      }
      in_.take();
      return;
    }
    if (in_.take('}')) {
      in_.known.close();
      return;
    }
    if (in_.take(';') || skip_noise()) return;
    const token first = in_.peek();
    if (first.kind == token_kind::word && first.text[0] != '.' && in_.peek(1).is(':')) return parse_label(into);
    if (const auto [where, is_space] = space_of(first.text); is_space) {
      in_.take();
      if (!parse_variables(in_, where)) in_.skip_statement();
      return;
    }
    const int scope = in_.known.scope();
    if (!parse_instruction(in_, into)) return in_.skip_statement();
    const std::string_view opcode = into.body.back().opcode;
    if (opcode == "bra" || opcode == "brx") pending_.push_back({into.body.size() - 1, scope});
  }

  void parse_label(function& into) {
    const std::string_view name = in_.take().text;
    in_.take(':');
    if (in_.peek().text == ".branchtargets") {
      in_.take();
      std::vector<std::string_view> labels;
      do {
        labels.push_back(in_.take().text);
      } while (in_.take(','));
      in_.known.label_list(name, std::move(labels));
      if (!in_.take(';')) in_.skip_statement();
    } else if (in_.peek().text == ".callprototype" || in_.peek().text == ".calltargets") {
      while (!in_.at_end() && !in_.peek().is(';') && !in_.peek().is('}')) in_.take();
      if (!in_.take(';')) in_.skip_statement();
    } else {
      if (!in_.known.label(name, static_cast<int>(into.body.size())))
        in_.complain("two labels of one name", in_.peek().at);
    }
  }

  void resolve_branches(function& into) {
    for (const auto& [index, scope] : pending_) {
      instruction& branch = into.body[index];
      const bool is_indexed = branch.opcode == "brx";
      const std::string_view label = branch.operands.size() == (is_indexed ? 2 : 1) ? branch.operands.back().text : "";
      std::vector<std::string_view> one{label};
      const auto* labels = is_indexed ? in_.known.find_list(label, scope) : &one;
      for (std::string_view target : labels ? *labels : std::vector<std::string_view>{}) {
        const int found = in_.known.find_label(target, scope);
        if (found < 0) branch.targets.clear();
        if (found < 0) break;
        branch.targets.push_back(found);
      }
      if (branch.targets.empty()) in_.complain("a branch to an unknown label", branch.at);
    }
  }

  static constexpr std::size_t functions_max = 100'000;

  struct pending_branch {
    std::size_t instruction;
    int scope;
  };

  ptx_cursor in_;
  std::vector<pending_branch> pending_;
};

}  // namespace

module parse_ptx(std::string_view text) { return parser(text).parse(); }

}  // namespace genesys::schedule
