// SPDX-License-Identifier: Apache-2.0
// `genesys syscalls` and `genesys man`.
#pragma once

#include <iosfwd>
#include <string>

namespace genesys::command {

struct listing {
  std::string of_class;  // empty: all
  std::string format = "text";
};

int print_syscalls(std::ostream& to, const listing& wanted);
// Returns 1 if there is no such call; `errors` then gets similar names.
int print_page(std::ostream& to, std::ostream& errors, const std::string& call);

}  // namespace genesys::command
