// SPDX-License-Identifier: Apache-2.0
// Text of another process for a terminal: bytes that are no printable ASCII become \ooo, so that no text moves the
// cursor or forges a line.
#pragma once

#include <string>
#include <string_view>

namespace genesys::command {

inline std::string printable(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c >= ' ' && c <= '~') {
      made += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    for (const int shift : {6, 3, 0}) {
      if (shift == 6) made += '\\';
      made += static_cast<char>('0' + (byte >> shift & 7));
    }
  }
  return made;
}

}  // namespace genesys::command
