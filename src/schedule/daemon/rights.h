// SPDX-License-Identifier: Apache-2.0
// Who may ask for which nice value: what setpriority(2) would allow the process, and what the daemon's allow list adds.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "schedule/daemon/descriptor.h"

namespace genesys::schedule::processes {

// What Linux says of a process.
struct process_facts {
  pid_t pid = 0;
  uid_t uid = 0;
  std::vector<gid_t> all_groups;  // its own, and the supplementary ones
  int nice = 0;                   // its CPU nice value now
  unsigned nice_limit = 0;        // RLIMIT_NICE: 20 minus the least nice value
  bool may_lower = false;         // it has CAP_SYS_NICE in the daemon's user namespace
};

// One line of the allow list.
struct allowed_nice {
  bool is_group = false;
  unsigned id = 0;  // uid or gid
  int nice = 0;     // and all greater values
};

// The least nice value that the process may have.
int least_nice(const process_facts& of, const std::vector<allowed_nice>& allowed);

// What a process reads that asks for less: why, and what it can do.
std::string why_not(const process_facts& of, int asked, int least);

// The process at the other end of a connection, as it was when it connected.
struct peer {
  pid_t pid = 0;
  uid_t uid = 0;
  std::vector<gid_t> all_groups;
  descriptor process;  // a pidfd
};
// Null if Linux does not say, or the process has ended.
std::optional<peer> peer_of(int socket);
bool has_ended(const peer& who);

// Reads /proc. Null if the process has ended, or if /proc cannot be read.
std::optional<process_facts> facts_of(const peer& who);

// Of the text of /proc/PID/stat, limits and status. Null if the text does not have it.
std::optional<int> nice_in_stat(const std::string& text);
std::optional<unsigned> nice_limit_in(const std::string& limits);
std::optional<bool> sys_nice_in(const std::string& status);

}  // namespace genesys::schedule::processes
