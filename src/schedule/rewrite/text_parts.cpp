// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/text_parts.h"

#include "schedule/ptx/ptx_tokens.h"

namespace genesys::schedule {
namespace {

bool is_linkage(std::string_view word) {
  return word == ".visible" || word == ".weak" || word == ".extern" || word == ".common";
}

}  // namespace

text_parts::text_parts(std::string_view text) : text_(text) {
  const std::vector<token> tokens = tokens_of(text);
  std::unordered_map<std::string_view, int> named;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const token& one = tokens[i];
    if (one.kind == token_kind::word) ++named[one.text];
    stays_whole_ |= one.kind == token_kind::wrong || one.text == ".section";
    if (one.is('{')) ++depth;
    if (one.is('}')) --depth;
    if (depth != 0 || one.text != ".entry" || i + 1 >= tokens.size()) continue;
    std::size_t begin = i, end = i + 1;
    while (begin > 0 && is_linkage(tokens[begin - 1].text)) --begin;
    while (end < tokens.size() && !tokens[end].is('{') && !tokens[end].is(';')) ++end;
    if (end < tokens.size() && tokens[end].is('{')) {
      for (int open = 0; end < tokens.size(); ++end) {
        if (tokens[end].is('{')) ++open;
        if (tokens[end].is('}') && --open == 0) break;
      }
    }
    if (end >= tokens.size()) {
      stays_whole_ = true;
      break;
    }
    const std::string_view name = tokens[i + 1].text;
    stays_whole_ |= !kernels_.emplace(name, parts_.size()).second;  // declared, and defined elsewhere
    parts_.push_back({tokens[begin].at.offset, tokens[end].at.offset + 1, name, false});
  }
  for (part& each : parts_) each.is_named_elsewhere = named[each.kernel] > 1;
}

std::string text_parts::with_only(std::string_view kernel) const {
  if (stays_whole_) return std::string(text_);
  std::string result;
  std::uint32_t at = 0;
  for (const part& each : parts_) {
    if (each.kernel == kernel || each.is_named_elsewhere) continue;
    result += text_.substr(at, each.begin - at);
    at = each.end;
  }
  result += text_.substr(at);
  return result;
}

}  // namespace genesys::schedule
