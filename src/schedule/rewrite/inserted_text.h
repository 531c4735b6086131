// SPDX-License-Identifier: Apache-2.0
// What all inserted PTX has in common. All names begin with a prefix that the text of the module does not have; `~`
// stands for the prefix.
#pragma once

#include <string>
#include <string_view>

namespace genesys::schedule {

inline std::string expanded(std::string_view text, std::string_view prefix) {
  std::string result;
  for (char c : text) {
    if (c == '~') {
      result += prefix;
    } else {
      result += c;
    }
  }
  return result;
}

// The linear number of the block, x first, in `%~a`. Uses `%~b` and `%~c`.
inline constexpr std::string_view block_number_text =
    "mov.u32 %~a, %ctaid.z;\nmov.u32 %~b, %nctaid.y;\nmov.u32 %~c, %ctaid.y;\nmad.lo.u32 %~a, %~a, %~b, %~c;\n"
    "mov.u32 %~b, %nctaid.x;\nmov.u32 %~c, %ctaid.x;\nmad.lo.u32 %~a, %~a, %~b, %~c;\n";

}  // namespace genesys::schedule
