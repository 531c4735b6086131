// SPDX-License-Identifier: Apache-2.0
// `genesys schedule top`: a screen of the processes that the scheduling daemon knows, and of their kernels, as top has
// it. It needs a terminal of 80 columns.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

// `socket`: empty: where a process looks for the daemon. The command's exit status: 0, or 1 if there is no daemon or no
// terminal.
int show_top(std::ostream& errors, const std::string& socket);

}  // namespace genesys::command
