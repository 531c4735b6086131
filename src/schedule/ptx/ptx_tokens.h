// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into tokens with their positions. The parser (ptx_parser.cpp) is its only user. Any bytes are
// accepted: text that is no PTX gives tokens of kind `wrong`, never an exception.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace genesys::schedule {

// Where something stands in the text: the line, from 1, and the byte, from 0.
struct position {
  std::uint32_t line = 0;
  std::uint32_t offset = 0;
};

enum class token_kind {
  word,    // a name, a directive or an opcode with its modifiers: `%r1`, `.reg`, `ld.global.L2::128B.f32`, `%tid.x`
  number,  // `16`, `0x1F`, `0f3F800000`, `1.5`
  text,    // "in quotation marks"
  mark,    // one of { } [ ] ( ) , ; : + - | ! @ < > = * / & ~ ? ^ .
  wrong,   // anything else, and text or comments that do not end
  end
};

struct token {
  token_kind kind = token_kind::end;
  std::string_view text;  // points into the text that was given
  position at;

  bool is(char mark) const { return kind == token_kind::mark && text.size() == 1 && text[0] == mark; }
};

// Texts of this size or more are refused as a whole: offsets have 32 bits.
inline constexpr std::size_t ptx_bytes_max = std::size_t{1} << 30;

// All tokens, the last one of kind `end`. The text must outlive them. Comments and white space give no tokens.
std::vector<token> tokens_of(std::string_view text);

}  // namespace genesys::schedule
