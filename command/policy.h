// SPDX-License-Identifier: Apache-2.0
// genesys policy: reads a policy as a runtime would, and says what it lets kernels ask for.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_policy {
  std::string name;  // a profile, or a file with rules; empty: the environment's, else `all`
  std::string format = "text";
  bool list = false;  // each call
};

// The exit status: 1 if a rule is wrong, which `errors` then says, with its place.
int print_policy(std::ostream& to, std::ostream& errors, const asked_policy& asked);

}  // namespace genesys::command
