// SPDX-License-Identifier: Apache-2.0
// `genesys policy`: reads a policy as a runtime does, and prints what it allows kernels.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct asked_policy {
  std::string name;  // a profile, or a file with rules; empty: the environment's, else `all`
  std::string format = "text";
  bool list = false;  // each call
};

// Returns the exit status: 1 if a rule is wrong; `errors` then gets the message, with its place.
int print_policy(std::ostream& to, std::ostream& errors, const asked_policy& asked);

}  // namespace genesys::command
