// SPDX-License-Identifier: Apache-2.0
#include "schedule_ps.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "member_text.h"
#include "schedule/daemon/client.h"
#include "schedule/daemon/member_list.h"

namespace genesys::command {
namespace {

using schedule::processes::reply;

std::string seconds(schedule::processes::u64 ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(ms) / 1e3);
  return text;
}

void print_table(std::ostream& to, const std::vector<reply>& rows) {
  const auto line = [&](const char* format, auto... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    to << text;
  };
  line("%8s %-12s %5s %5s %-8s %8s %8s %s\n", "PID", "USER", "NICE", "AGED", "STATE", "HELD-S", "HOLDS", "COMMAND");
  for (const reply& row : rows) {
    line("%8d %-12s %5d %5d %-8s %8s %8u %s\n", row.pid, user_of(row).c_str(), row.nice, row.effective_nice,
         state_of(row), row.held != 0 ? seconds(row.since_ms).c_str() : "-", row.holds, command_of(row).c_str());
  }
}

void print_json(std::ostream& to, const std::vector<reply>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const reply& row : rows) {
    all.push_back({{"pid", row.pid},
                   {"uid", row.uid},
                   {"user", user_of(row)},
                   {"device", row.device},
                   {"nice", row.nice},
                   {"aged_nice", row.effective_nice},
                   {"state", state_of(row)},
                   {"held", row.held != 0},
                   {"since_ms", row.since_ms},
                   {"holds", row.holds},
                   {"command", command_of(row)}});
  }
  to << all.dump(2) << "\n";
}

}  // namespace

int print_processes(std::ostream& to, std::ostream& errors, const asked_processes& asked) {
  try {
    const std::vector<reply> rows = schedule::processes::list_members(
        asked.socket.empty() ? schedule::processes::daemon_socket_of_process() : asked.socket);
    asked.json ? print_json(to, rows) : print_table(to, rows);
    return 0;
  } catch (const std::runtime_error& error) {
    errors << "genesys: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
