// SPDX-License-Identifier: Apache-2.0
// `genesys scheduled`: the daemon that says which processes hold for more important ones.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_daemon {
  std::string socket;      // empty: the default path, whose folder is made
  std::string group;       // empty: all users, or only its own if it does not run as root
  std::string allow_list;  // empty: none
  bool foreground = false;
  double aging_step_ms = 10, run_max_ms = 200, lease_ms = 1000;
};

// Serves until SIGTERM or SIGINT; without `foreground` it returns when a process in the background serves. The
// command's exit status: 0, or 1 if the daemon cannot start.
int run_daemon(std::ostream& errors, const asked_daemon& asked);

}  // namespace genesys::command
