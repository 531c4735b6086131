// SPDX-License-Identifier: Apache-2.0
// 'genesys services': what requests of services cost on the GPU and by their twins, and which side answers.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_services {
  std::string file;    // empty: that of this user
  unsigned cores = 0;  // for the comparison with all cores; 0: those of this machine
  bool json = false;
};

// Returns the exit status.
int show_services(std::ostream& to, std::ostream& errors, const asked_services& asked);

}  // namespace genesys::command
