// SPDX-License-Identifier: Apache-2.0
// Declarations of variables and parameters in PTX.
#include <limits>

#include "schedule/ptx/ptx_cursor.h"

namespace genesys::schedule {
namespace {

constexpr std::uint64_t elements_max = std::uint64_t{1} << 48;

// What stands before a variable's name: type, alignment, attributes.
struct declared {
  variable one;
  bool has_type = false;
};

// `.align 8 .v2 .b32 .ptr .global .attribute(.managed)`, in any order. False: something else stands there.
bool parse_prefix(ptx_cursor& in, declared& into) {
  unsigned elements = 1;
  while (in.peek().kind == token_kind::word && in.peek().text.starts_with('.')) {
    const std::string_view word = in.take().text;
    if (word == ".align") {
      const auto align = integer_of(in.peek().text);
      if (in.take().kind != token_kind::number || !align || *align < 1 || *align > 4096) return false;
      into.one.align = static_cast<unsigned>(*align);
    } else if (word == ".v2" || word == ".v4" || word == ".v8") {
      elements = static_cast<unsigned>(word[2] - '0');
    } else if (word == ".ptr") {
      into.one.is_pointer = true;
    } else if (word == ".attribute") {
      if (!in.take('(')) return false;
      while (!in.at_end() && !in.peek().is(')')) in.take();
      if (!in.take(')')) return false;
    } else if (const type_size type = size_of_type(word); type.is_type) {
      if (into.has_type) return false;
      into.has_type = true;
      into.one.element_bytes = type.bytes;
    } else if (word != ".global" && word != ".const" && word != ".shared" && word != ".local" &&
               word != ".relocatable") {
      return false;
    }
  }
  into.one.element_bytes *= elements;
  if (into.one.align == 1 && into.one.element_bytes > 1) into.one.align = into.one.element_bytes;
  return into.has_type;
}

// `[4][2]` or `[]` behind a name.
bool parse_extents(ptx_cursor& in, variable& into) {
  std::uint64_t count = 1;
  while (in.take('[')) {
    if (in.take(']')) {
      count = 0;
      continue;
    }
    const token number = in.take();
    const auto extent = integer_of(number.text);
    if (number.kind != token_kind::number || !extent || *extent < 0 || !in.take(']')) return false;
    if (*extent > 0 && count > elements_max / static_cast<std::uint64_t>(*extent)) return false;
    count *= static_cast<std::uint64_t>(*extent);
  }
  into.bytes = count * into.element_bytes;
  return true;
}

// `= {1, generic(x)+4}` or `= 5`: what a variable holds at first has no effect on the analysis.
bool skip_initializer(ptx_cursor& in) {
  if (!in.take('=')) return true;
  if (in.peek().is('{')) {
    in.skip_braces();
    return true;
  }
  unsigned open = 0;
  while (!in.at_end() && !in.peek().is(';') && (open > 0 || !in.peek().is(','))) {
    if (in.peek().is('{') || in.peek().is('}') || in.peek().kind == token_kind::wrong) return false;
    open += in.peek().is('(');
    open -= open > 0 && in.peek().is(')');
    in.take();
  }
  return true;
}

}  // namespace

type_size size_of_type(std::string_view type) {
  if (!type.starts_with('.')) return {};
  type.remove_prefix(1);
  if (type == "pred") return {0, true};
  if (type == "texref" || type == "samplerref" || type == "surfref") return {8, true};
  if (type == "b128") return {16, true};
  if (type == "b64" || type == "u64" || type == "s64" || type == "f64" || type == "f32x2") return {8, true};
  if (type == "b32" || type == "u32" || type == "s32" || type == "f32" || type == "f16x2" || type == "bf16x2") {
    return {4, true};
  }
  if (type == "b16" || type == "u16" || type == "s16" || type == "f16" || type == "bf16") return {2, true};
  if (type == "b8" || type == "u8" || type == "s8") return {1, true};
  return {};
}

std::optional<std::int64_t> integer_of(std::string_view number) {
  if (number.empty()) return std::nullopt;
  while (number.ends_with('U') || number.ends_with('u')) number.remove_suffix(1);
  unsigned base = 10;
  if (number.starts_with("0x") || number.starts_with("0X")) {
    base = 16;
    number.remove_prefix(2);
  } else if (number.starts_with("0b") || number.starts_with("0B")) {
    base = 2;
    number.remove_prefix(2);
  } else if (number.size() > 1 && number[0] == '0') {
    base = 8;
    number.remove_prefix(1);
  }
  if (number.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (char c : number) {
    unsigned digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
    if (digit >= base) return std::nullopt;
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return static_cast<std::int64_t>(value);
}

bool parse_variables(ptx_cursor& in, space where) {
  declared prefix;
  prefix.one.in = where;
  if (!parse_prefix(in, prefix)) return false;
  do {
    variable one = prefix.one;
    const token name = in.take();
    if (name.kind != token_kind::word || name.text.find('.') != name.text.npos) return false;
    one.name = name.text;
    one.at = name.at;
    if (in.take('<')) {  // %r<100>
      const token number = in.take();
      const auto count = integer_of(number.text);
      if (where != space::reg || number.kind != token_kind::number || !count || *count < 0 || !in.take('>'))
        return false;
      one.bytes = one.element_bytes;
      if (!in.known.declare_range(one, static_cast<std::uint64_t>(*count))) return false;
      continue;
    }
    if (!parse_extents(in, one) || !skip_initializer(in)) return false;
    in.known.declare(one);
  } while (in.take(','));
  return in.take(';');
}

bool parse_parameters(ptx_cursor& in, std::vector<int>& into) {
  if (!in.take('(')) return false;
  if (in.take(')')) return true;
  do {
    const token where = in.take();
    declared prefix;
    if (where.text == ".param") {
      prefix.one.in = space::param;
    } else if (where.text == ".reg") {
      prefix.one.in = space::reg;
    } else {
      return false;
    }
    if (!parse_prefix(in, prefix)) return false;
    const token name = in.take();
    if (name.kind != token_kind::word || name.text.find('.') != name.text.npos) return false;
    prefix.one.name = name.text;
    prefix.one.at = name.at;
    if (!parse_extents(in, prefix.one)) return false;
    into.push_back(in.known.declare(prefix.one));
  } while (in.take(','));
  return in.take(')');
}

}  // namespace genesys::schedule
