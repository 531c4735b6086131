// SPDX-License-Identifier: Apache-2.0
// 'genesys services': what requests of services cost on the GPU and by their twins, and which side answers; which
// services a daemon has (genesys serve), and how to load more into it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace genesys::command {

struct asked_services {
  std::string file;    // empty: that of this user
  unsigned cores = 0;  // for the comparison with all cores; 0: those of this machine
  bool json = false;
  std::string socket;  // of the daemon; empty: the default one, if a daemon is there
};

struct asked_load {
  std::vector<std::string> words;  // one or two files, and the name
  std::string socket;
};
struct asked_unload {
  std::string name, socket;
};

// Return the exit status.
int show_services(std::ostream& to, std::ostream& errors, const asked_services& asked);
int load_service(std::ostream& errors, const asked_load& asked);
int unload_service(std::ostream& errors, const asked_unload& asked);

}  // namespace genesys::command
