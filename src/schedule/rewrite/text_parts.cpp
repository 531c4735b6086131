// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/text_parts.h"

#include <algorithm>
#include <unordered_map>

namespace genesys::schedule {
namespace {

bool is_linkage(std::string_view word) {
  return word == ".visible" || word == ".weak" || word == ".extern" || word == ".common";
}

// `.loc` and `.file` with the rest of their line, and a section with its braces. Returns the last token of it.
std::size_t end_of_debug(const std::vector<token>& tokens, std::size_t first) {
  std::size_t last = first;
  if (tokens[first].text != ".section") {
    while (last + 1 < tokens.size() && tokens[last + 1].at.line == tokens[first].at.line &&
           tokens[last + 1].kind != token_kind::end) {
      ++last;
    }
    return last;
  }
  while (last < tokens.size() && !tokens[last].is('{')) ++last;
  for (int open = 0; last < tokens.size(); ++last) {
    if (tokens[last].is('{')) ++open;
    if (tokens[last].is('}') && --open == 0) break;
  }
  return last;
}

bool begins_debug(const token& one) {
  return one.kind == token_kind::word && (one.text == ".loc" || one.text == ".file" || one.text == ".section");
}

std::uint32_t end_of(const token& one) { return one.at.offset + static_cast<std::uint32_t>(one.text.size()); }

}  // namespace

text_parts::text_parts(std::string_view text) : text_(text) {
  const std::vector<token> tokens = tokens_of(text);
  std::unordered_map<std::string_view, int> named;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const token& one = tokens[i];
    if (begins_debug(one)) {
      const std::size_t last = end_of_debug(tokens, i);
      if (last >= tokens.size()) {
        stays_whole_ = true;
        break;
      }
      parts_.push_back({one.at.offset, end_of(tokens[last]), "", false});
      i = last;
      continue;
    }
    if (one.kind == token_kind::word) ++named[one.text];
    stays_whole_ |= one.kind == token_kind::wrong;
    if (one.is('{')) ++depth;
    if (one.is('}')) --depth;
    // `.target sm_90, debug` promises debug information.
    if (one.text == "debug" && i > 0 && tokens[i - 1].is(',')) {
      parts_.push_back({tokens[i - 1].at.offset, end_of(one), "", false});
    }
    if (depth == 0 && one.text == ".entry") add_kernel(tokens, i);
  }
  for (part& each : parts_) each.is_named_elsewhere = !each.kernel.empty() && named[each.kernel] > 1;
  // What is in a kernel comes behind it here, too.
  std::stable_sort(parts_.begin(), parts_.end(), [](const part& a, const part& b) { return a.begin < b.begin; });
}

// `at`: the token `.entry`.
void text_parts::add_kernel(const std::vector<token>& tokens, std::size_t at) {
  std::size_t begin = at, end = at + 1;
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
    return;
  }
  const std::string_view name = tokens[at + 1].text;
  stays_whole_ |= !kernels_.insert(name).second;  // declared, and defined elsewhere
  parts_.push_back({tokens[begin].at.offset, end_of(tokens[end]), name, false});
}

std::string text_parts::with_only(std::string_view kernel) const {
  if (stays_whole_) return std::string(text_);
  std::string result;
  std::uint32_t at = 0;
  for (const part& each : parts_) {
    if (each.begin < at) continue;  // in a kernel that is left out
    if (!each.kernel.empty() && (each.kernel == kernel || each.is_named_elsewhere)) continue;
    result += text_.substr(at, each.begin - at);
    at = each.end;
  }
  result += text_.substr(at);
  return result;
}

}  // namespace genesys::schedule
