// SPDX-License-Identifier: Apache-2.0
#include "member_text.h"

#include <pwd.h>

#include <fstream>

#include "printable.h"

namespace genesys::command {

using schedule::processes::reply;

std::string user_of(const reply& row) {
  const struct passwd* const found = ::getpwuid(row.uid);
  return found != nullptr ? printable(found->pw_name) : std::to_string(row.uid);
}

std::string command_of(const reply& row) {
  std::ifstream from("/proc/" + std::to_string(row.pid) + "/comm");
  std::string name;
  std::getline(from, name);
  return printable(name);
}

const char* state_of(const reply& row) {
  if (row.stalled != 0) return "stalled";
  constexpr const char* names[] = {"idle", "waiting", "running"};
  return names[row.state <= schedule::processes::state_running ? row.state : 0];
}

}  // namespace genesys::command
