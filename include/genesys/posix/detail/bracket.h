// SPDX-License-Identifier: Apache-2.0
// Bracket expressions of patterns, `[a-z]`, for fnmatch() in the C locale (posix/fnmatch.h). POSIX, XBD 9.3.5.
#pragma once

#include <fnmatch.h>

#include "genesys/posix/string.h"

namespace genesys::detail::libc {

GENESYS_KERNEL int folded(char c, int flags) {
  const int code = static_cast<unsigned char>(c);
  return (flags & FNM_CASEFOLD) != 0 ? posix::tolower(code) : code;
}

// Whether a character is in the class of this name; -1: there is no such class.
GENESYS_KERNEL_OUTLINE inline int in_class(int c, const char* name, std::size_t length) {
  const auto is = [=](const char* known) {
    return posix::strlen(known) == length && posix::memcmp(name, known, length) == 0;
  };
  if (is("alpha")) return posix::isalpha(c);
  if (is("digit")) return posix::isdigit(c);
  if (is("alnum")) return posix::isalnum(c);
  if (is("upper")) return posix::isupper(c);
  if (is("lower")) return posix::islower(c);
  if (is("space")) return posix::isspace(c);
  if (is("blank")) return posix::isblank(c);
  if (is("punct")) return posix::ispunct(c);
  if (is("print")) return posix::isprint(c);
  if (is("graph")) return posix::isgraph(c);
  if (is("cntrl")) return posix::iscntrl(c);
  if (is("xdigit")) return posix::isxdigit(c);
  return -1;
}

struct bracket_match {
  enum { no, yes, not_closed } result;  // an invalid expression matches nothing
  const char* after;                    // the closing bracket
};

// Reads one end of a range: a character, an escaped one, or `[.x.]`. Null: the expression is invalid.
GENESYS_KERNEL const char* read_range_end(const char* at, int flags, char& to) {
  if (at[0] == '[' && at[1] == '.') {
    if (at[2] == 0 || at[3] != '.' || at[4] != ']') return nullptr;
    to = at[2];
    return at + 5;
  }
  if (*at == '\\' && (flags & FNM_NOESCAPE) == 0) ++at;
  if (*at == 0) return nullptr;
  to = *at;
  return at + 1;
}

// `at` is what follows the opening bracket.
GENESYS_KERNEL_OUTLINE inline bracket_match match_bracket(const char* at, char c, int flags) {
  const int code = folded(c, flags);
  const bool negated = *at == '!' || *at == '^';
  if (negated) ++at;
  bool found = false;
  for (const char* const first = at; *at != ']' || at == first;) {
    if (*at == 0) return {bracket_match::not_closed, at};
    if (at[0] == '[' && at[1] == ':') {
      const char* end = posix::strstr(at + 2, ":]");
      if (end == nullptr) return {bracket_match::not_closed, at};
      const int in = in_class(static_cast<unsigned char>(c), at + 2, static_cast<std::size_t>(end - at - 2));
      if (in < 0 && !found) return {bracket_match::no, at};
      found = found || in > 0;
      at = end + 2;
      continue;
    }
    if (at[0] == '[' && at[1] == '=') {
      if (at[2] == 0 || at[3] != '=' || at[4] != ']') return {bracket_match::no, at};
      found = found || c == at[2];
      at += 5;
      continue;
    }
    char low = 0, high = 0;
    at = read_range_end(at, flags, low);
    if (at == nullptr) return {bracket_match::no, at};
    high = low;
    if (at[0] == '-' && at[1] != ']' && at[1] != 0) {
      at = read_range_end(at + 1, flags, high);
      if (at == nullptr) return {bracket_match::no, at};
    }
    found = found || (folded(low, flags) <= code && code <= folded(high, flags));
  }
  return {found != negated ? bracket_match::yes : bracket_match::no, at + 1};
}

}  // namespace genesys::detail::libc
