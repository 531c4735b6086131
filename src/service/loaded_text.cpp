// SPDX-License-Identifier: Apache-2.0
#include "service/loaded_text.h"

#include <algorithm>
#include <charconv>

#include "schedule/ptx/ptx_tokens.h"

namespace genesys::detail::services {

using schedule::token;
using schedule::token_kind;
using schedule::tokens_of;

namespace {

bool is_linkage(const token& one) { return one.text == ".visible" || one.text == ".weak"; }

std::size_t after_parentheses(const std::vector<token>& tokens, std::size_t at) {
  while (at < tokens.size() && !tokens[at].is(')')) ++at;
  return at + 1;
}

// `at`: a token `.func`. The name of the function: a word behind the return value's parentheses and attributes.
std::string_view name_of_function(const std::vector<token>& tokens, std::size_t at) {
  for (++at; at < tokens.size() && tokens[at].kind != token_kind::end;) {
    if (tokens[at].is('(')) {
      at = after_parentheses(tokens, at);
    } else if (tokens[at].kind == token_kind::word && !tokens[at].text.starts_with('.')) {
      return tokens[at].text;
    } else {
      ++at;
    }
  }
  return {};
}

// Calls what({index of the token, depth of braces}) for each token.
template <class F>
void for_each_outside(const std::vector<token>& tokens, F what) {
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is('{')) ++depth;
    if (tokens[i].is('}')) --depth;
    if (depth == 0) what(i);
  }
}

}  // namespace

std::optional<std::string> bytes_of_variable(std::string_view ptx, std::string_view name, std::size_t bytes_max) {
  const std::vector<token> tokens = tokens_of(ptx);
  for (std::size_t i = 1; i + 5 < tokens.size(); ++i) {
    // .b8 NAME [ N ] = { 1 , 2 , ... }
    if (tokens[i].text != name || tokens[i - 1].text != ".b8" || !tokens[i + 1].is('[') || !tokens[i + 4].is('='))
      continue;
    std::string bytes;
    for (i += 5; i < tokens.size() && !tokens[i].is('}') && bytes.size() < bytes_max; ++i) {
      if (tokens[i].kind != token_kind::number) continue;
      unsigned value = 0;
      (void)std::from_chars(tokens[i].text.data(), tokens[i].text.data() + tokens[i].text.size(), value);
      bytes += static_cast<char>(value);
    }
    return bytes;
  }
  return std::nullopt;
}

bool has_function(std::string_view ptx, std::string_view name) {
  const std::vector<token> tokens = tokens_of(ptx);
  bool found = false;
  for_each_outside(tokens, [&](std::size_t i) {
    found |=
        i > 0 && tokens[i].text == ".func" && tokens[i - 1].text == ".visible" && name_of_function(tokens, i) == name;
  });
  return found;
}

std::string function_symbol(u32 row) { return "genesys_loaded_" + std::to_string(row); }

std::string with_one_function(std::string_view ptx, std::string_view function, u32 row) {
  const std::vector<token> tokens = tokens_of(ptx);
  std::vector<bool> drop(tokens.size(), false);
  for_each_outside(tokens, [&](std::size_t i) {
    if (!is_linkage(tokens[i]) || i + 1 >= tokens.size() || tokens[i + 1].text == ".entry") return;
    drop[i] = tokens[i + 1].text != ".func" || name_of_function(tokens, i + 1) != function;
  });
  std::string text;
  std::size_t at = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool renames = tokens[i].kind == token_kind::word && tokens[i].text == function;
    if (!drop[i] && !renames) continue;
    text += ptx.substr(at, tokens[i].at.offset - at);
    if (renames) text += function_symbol(row);
    at = tokens[i].at.offset + tokens[i].text.size();
  }
  text += ptx.substr(at);
  return text;
}

std::string table_text(const std::vector<kernel_image::function>& functions, unsigned architecture,
                       std::string_view kernel) {
  constexpr std::string_view directive = ".version ";
  const std::size_t at = std::min(kernel.find(directive), kernel.size());
  const std::string version(kernel.substr(at, kernel.find('\n', at) - at));
  std::string text = version + "\n.target sm_" + std::to_string(architecture) + "\n.address_size 64\n";
  std::string entries[rows_max];
  for (const auto& each : functions) {
    entries[each.row] = function_symbol(each.row);
    text += ".extern .func (.param .b64 result) " + entries[each.row] +
            "(.param .b32 block, .param .b32 blocks, .param .b64 arguments, .param .b64 object);\n";
  }
  text += std::string(".visible .global .align 8 .u64 ") + table_symbol + "[" + std::to_string(rows_max) + "] = {";
  for (u32 row = 0; row < rows_max; ++row) text += (row == 0 ? "" : ", ") + (entries[row].empty() ? "0" : entries[row]);
  return text + "};\n";
}

}  // namespace genesys::detail::services
