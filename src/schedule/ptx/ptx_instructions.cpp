// SPDX-License-Identifier: Apache-2.0
// Instructions of PTX: guard, opcode, modifiers, operands.
#include "schedule/ptx/ptx_cursor.h"

namespace genesys::schedule {
namespace {

class instruction_parser {
 public:
  explicit instruction_parser(ptx_cursor& in) : in_(in) {}

  bool parse(instruction& into) {
    into.at = in_.peek().at;
    if (in_.take('@')) {
      into.guard_is_negated = in_.take('!');
      const token name = in_.take();
      into.guard = in_.known.find(name.text);
      if (name.kind != token_kind::word || into.guard == no_variable) return false;
      if (in_.all.variables[into.guard].in != space::reg) return false;
    }
    const token opcode = in_.take();
    if (opcode.kind != token_kind::word || opcode.text[0] == '.' || opcode.text[0] == '%') return false;
    split_opcode(opcode.text, into);
    if (into.opcode == "call" ? !parse_call(into) : !parse_list(into.operands, ';')) return false;
    into.has_two_results = has_bar_;
    const token end = in_.take();
    into.end_offset = end.at.offset + 1;
    return end.is(';');
  }

 private:
  static void split_opcode(std::string_view text, instruction& into) {
    std::size_t dot = text.find('.');
    into.opcode = text.substr(0, dot);
    while (dot != text.npos) {
      const std::size_t start = dot + 1;
      dot = text.find('.', start);
      into.modifiers.push_back(text.substr(start, dot == text.npos ? dot : dot - start));
    }
  }

  // Operands up to this mark, which is not taken.
  bool parse_list(std::vector<operand>& into, char end, unsigned depth = 0) {
    if (in_.peek().is(end)) return true;
    do {
      operand one;
      if (into.size() == operands_max || !parse_operand(one, depth)) return false;
      into.push_back(std::move(one));
      if (depth == 0 && into.size() == 1) has_bar_ = in_.peek().is('|');
    } while (in_.take(',') || (depth == 0 && into.size() == 1 && in_.take('|')));
    return in_.peek().is(end);
  }

  bool parse_operand(operand& into, unsigned depth) {
    if (depth > depth_max) return false;
    if (in_.take('!')) {
      into.is_negated = true;
      return parse_name(into) && into.what == operand::kind::reg;
    }
    if (in_.take('{')) {
      into.what = operand::kind::vector;
      return parse_list(into.parts, '}', depth + 1) && in_.take('}');
    }
    if (in_.take('[')) return parse_address(into, depth);
    if (in_.peek().is('-') || in_.peek().kind == token_kind::number) return parse_number(into);
    if (!parse_name(into)) return false;
    if (into.what == operand::kind::symbol && (in_.peek().is('+') || in_.peek().is('-'))) return parse_added(into);
    return true;
  }

  bool parse_number(operand& into) {
    into.what = operand::kind::immediate;
    const bool is_negative = in_.take('-');
    const token number = in_.take();
    if (number.kind != token_kind::number) return false;
    into.text = number.text;
    const bool is_float = number.text.starts_with("0f") || number.text.starts_with("0F") ||
                          number.text.starts_with("0d") || number.text.starts_with("0D") ||
                          number.text.find('.') != number.text.npos;
    if (is_float) return true;
    const auto value = integer_of(number.text);
    into.is_integer = value.has_value();
    if (value) into.value = is_negative ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(*value)) : *value;
    return value.has_value();
  }

  bool parse_name(operand& into) {
    const token name = in_.take();
    if (name.kind != token_kind::word || name.text[0] == '.') return false;
    into.text = name.text;
    if (name.text == "_") {
      into.what = operand::kind::sink;
      return true;
    }
    into.var = in_.known.find(name.text);
    if (into.var == no_variable) {  // %v.x: one element of a register that is a vector
      const std::size_t dot = name.text.rfind('.');
      if (dot != name.text.npos) into.var = in_.known.find(name.text.substr(0, dot));
      if (into.var != no_variable && in_.all.variables[into.var].in != space::reg) return false;
    }
    if (into.var != no_variable) {
      into.what = in_.all.variables[into.var].in == space::reg ? operand::kind::reg : operand::kind::symbol;
    } else {
      into.what = name.text[0] == '%' ? operand::kind::special : operand::kind::symbol;
      if (name.text[0] != '%' && name.text.find('.') != name.text.npos) return false;
    }
    return true;
  }

  // `+4`, `+-4` or `-4` behind a name. (Marks of a sum of registers are not PTX.)
  bool parse_added(operand& into) {
    const bool is_minus = in_.peek().is('-');
    in_.take();
    operand number;
    if (!parse_number(number) || !number.is_integer) return false;
    into.value = is_minus ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(number.value)) : number.value;
    return true;
  }

  // Behind the opening bracket.
  bool parse_address(operand& into, unsigned depth) {
    operand base;
    if (in_.peek().kind == token_kind::number || in_.peek().is('-')) {
      if (!parse_number(base)) return false;
    } else if (!parse_name(base)) {
      return false;
    }
    if (base.what != operand::kind::reg && base.what != operand::kind::symbol && !base.is_integer) return false;
    if ((in_.peek().is('+') || in_.peek().is('-')) && !parse_added(base)) return false;
    into = base;
    into.what = operand::kind::address;
    if (in_.take(',') && !parse_list(into.parts, ']', depth + 1)) return false;
    return in_.take(']');
  }

  // call{.uni} (results), name, (inputs), prototype;
  bool parse_call(instruction& into) {
    if (in_.take('(')) {
      if (!parse_list(into.results, ')') || !in_.take(')') || !in_.take(',')) return false;
    }
    operand callee;
    if (!parse_operand(callee, 0)) return false;
    into.operands.push_back(callee);
    if (in_.take(',') && in_.take('(')) {
      if (!parse_list(into.inputs, ')') || !in_.take(')')) return false;
      if (in_.take(',') && !parse_list(into.operands, ';')) return false;
    } else if (!in_.peek().is(';') && !parse_list(into.operands, ';')) {
      return false;
    }
    return in_.peek().is(';');
  }

  static constexpr std::size_t operands_max = 1024;  // a struct by value may have many registers
  static constexpr unsigned depth_max = 4;

  ptx_cursor& in_;
  bool has_bar_ = false;
};

}  // namespace

bool parse_instruction(ptx_cursor& in, function& into) {
  instruction one;
  if (!instruction_parser(in).parse(one)) return false;
  into.body.push_back(std::move(one));
  return true;
}

}  // namespace genesys::schedule
