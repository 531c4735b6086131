// SPDX-License-Identifier: Apache-2.0
#include "schedule/ptx/ptx_tokens.h"

namespace genesys::schedule {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

class splitter {
 public:
  explicit splitter(std::string_view text) : text_(text) {}

  std::vector<token> all() {
    std::vector<token> tokens;
    if (text_.size() >= ptx_bytes_max) {
      tokens.push_back({token_kind::wrong, text_.substr(0, 0), {1, 0}});
    } else {
      while (skip_blanks(tokens)) tokens.push_back(next());
    }
    tokens.push_back({token_kind::end, text_.substr(text_.size()), here()});
    return tokens;
  }

 private:
  char at(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  position here() const { return {line_, static_cast<std::uint32_t>(at_)}; }

  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  // Skips white space and comments. False at the end of the text.
  bool skip_blanks(std::vector<token>& tokens) {
    while (at_ < text_.size()) {
      if (is_space(at(0))) {
        step();
      } else if (at(0) == '/' && at(1) == '/') {
        while (at_ < text_.size() && at(0) != '\n') step();
      } else if (at(0) == '/' && at(1) == '*') {
        const position start = here();
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          tokens.push_back({token_kind::wrong, text_.substr(at_, 2), start});
          at_ = text_.size();
          return false;
        }
        while (at_ < end + 2) step();
      } else {
        return true;
      }
    }
    return false;
  }

  token next() {
    const position start = here();
    const char c = at(0);
    if (c == '"') return quoted(start);
    if (is_digit(c)) return take(token_kind::number, start, number_size());
    if (is_letter(c) || c == '%' || (c == '.' && is_letter(at(1)))) return take(token_kind::word, start, word_size());
    constexpr std::string_view marks = "{}[](),;:+-|!@<>=*/&~?^.";
    return take(marks.find(c) != marks.npos ? token_kind::mark : token_kind::wrong, start, 1);
  }

  token take(token_kind kind, position start, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) step();
    return {kind, text_.substr(start.offset, size), start};
  }

  std::size_t word_size() const {
    std::size_t size = 1;
    for (;; ++size) {
      const char c = at(size);
      if (is_letter(c) || is_digit(c)) continue;
      if (c == '.' && (is_letter(at(size + 1)) || is_digit(at(size + 1)))) continue;
      if (c == ':' && at(size + 1) == ':' && is_letter_or_digit(at(size + 2))) {
        ++size;
        continue;
      }
      return size;
    }
  }

  static bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

  std::size_t number_size() const {
    std::size_t size = 1;
    for (;; ++size) {
      const char c = at(size);
      if (is_digit(c) || is_letter(c)) continue;
      if (c == '.' && is_digit(at(size + 1))) continue;
      const char before = at(size - 1);
      const bool is_hex = at(0) == '0' && size > 1 && (at(1) == 'x' || at(1) == 'X');
      if ((c == '+' || c == '-') && (before == 'e' || before == 'E') && !is_hex && is_digit(at(size + 1))) continue;
      return size;
    }
  }

  token quoted(position start) {
    const std::size_t first = at_;
    step();
    while (at_ < text_.size() && at(0) != '"' && at(0) != '\n') {
      if (at(0) == '\\' && at(1) != '\n') step();
      if (at_ < text_.size()) step();
    }
    if (at(0) != '"') return {token_kind::wrong, text_.substr(first, 1), start};
    step();
    return {token_kind::text, text_.substr(first, at_ - first), start};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<token> tokens_of(std::string_view text) { return splitter(text).all(); }

}  // namespace genesys::schedule
