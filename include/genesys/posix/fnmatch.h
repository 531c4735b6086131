// SPDX-License-Identifier: Apache-2.0
// fnmatch() for kernels, in the C locale. Any thread may call it, alone. It takes time in proportion to the product of
// both lengths at most, and no memory.
#pragma once

#include <fnmatch.h>

#include "genesys/posix/detail/bracket.h"

namespace genesys::posix {

// Returns 0 if the pattern matches the whole text, else FNM_NOMATCH. Flags: FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE,
// FNM_CASEFOLD, FNM_LEADING_DIR.
GENESYS_KERNEL_OUTLINE inline int fnmatch(const char* pattern, const char* text, int flags) {
  using detail::libc::bracket_match;
  const bool by_path = (flags & FNM_PATHNAME) != 0;
  const char* const begin = text;
  const char *star = nullptr, *star_text = nullptr;  // the last `*`, and where the text that it matches ends
  for (;;) {
    const bool at_start = text == begin || (by_path && text[-1] == '/');
    const bool hidden = *text == '.' && at_start && (flags & FNM_PERIOD) != 0;  // only a period matches it
    const bool any_matches = *text != 0 && !hidden && !(by_path && *text == '/');
    const char* next = pattern + 1;
    bool matches = false;
    switch (*pattern) {
      case 0:
        if (*text == 0 || (*text == '/' && (flags & FNM_LEADING_DIR) != 0)) return 0;
        break;
      case '*':
        if (hidden) break;
        star = ++pattern, star_text = text;
        continue;
      case '?':
        matches = any_matches;
        break;
      case '[': {
        if (!any_matches) break;
        const bracket_match bracket = detail::libc::match_bracket(next, *text, flags);
        matches = bracket.result == bracket_match::yes;
        if (bracket.result == bracket_match::not_closed)
          matches = *text == '[';
        else
          next = bracket.after;
        break;
      }
      case '\\':
        if ((flags & FNM_NOESCAPE) == 0) {
          if (*++pattern == 0) return FNM_NOMATCH;
          next = pattern + 1;
        }
        [[fallthrough]];
      default:
        matches = detail::libc::folded(*pattern, flags) == detail::libc::folded(*text, flags);
    }
    if (matches) {
      pattern = next, ++text;
      continue;
    }
    // The last star takes one character more. An earlier star need not: what followed it has matched already.
    if (star == nullptr || *star_text == 0 || (by_path && *star_text == '/')) return FNM_NOMATCH;
    pattern = star, text = ++star_text;
  }
}

}  // namespace genesys::posix
