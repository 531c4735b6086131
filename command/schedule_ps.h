// SPDX-License-Identifier: Apache-2.0
// `genesys schedule ps`: the processes that the scheduling daemon knows.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_processes {
  std::string socket;  // empty: where a process looks for the daemon
  bool json = false;
};

// The command's exit status: 0, or 1 if there is no daemon.
int print_processes(std::ostream& to, std::ostream& errors, const asked_processes& asked);

}  // namespace genesys::command
