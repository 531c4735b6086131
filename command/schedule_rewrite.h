// SPDX-License-Identifier: Apache-2.0
// `genesys schedule rewrite`: PTX with polls or block times, and what was instrumented.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_rewrite {
  std::string file;
  std::string kernel;             // other kernels stay as they are
  std::string variant = "loops";  // or entry, timed
  std::string output;             // empty: the text is not kept
};

int rewrite_kernels(std::ostream& to, std::ostream& errors, const asked_rewrite& asked);

}  // namespace genesys::command
