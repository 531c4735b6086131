// SPDX-License-Identifier: Apache-2.0
// `genesys schedule explain`: which kernels of a PTX file or a program can be aborted and run again, and why not.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_explain {
  std::string file;    // PTX, a fatbin, or a program or library with fatbins
  std::string kernel;  // only kernels whose name has this in it; empty: all
  bool json = false;
};

// The command's exit status: 0, or 1 if the file cannot be read or has no such kernel.
int explain_kernels(std::ostream& to, std::ostream& errors, const asked_explain& asked);

}  // namespace genesys::command
