// SPDX-License-Identifier: Apache-2.0
// `genesys trace --live`: a screen that shows what the kernels of a process do now, as top does. It needs a terminal of
// 80 columns or more.
#pragma once

#include <sys/types.h>

#include <string>

namespace genesys::command {

// Throws std::runtime_error: there is no terminal for the screen.
void check_terminal();

// Shows the runtimes of the process, also those that it makes later, until the process ends, or the user leaves.
// `about`: its name, for the first line. Returns whether the user left. Throws std::runtime_error: there is no
// terminal.
bool show_live(pid_t pid, const std::string& about);

}  // namespace genesys::command
