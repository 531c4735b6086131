// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/rights.h"

#include <linux/capability.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#ifndef SO_PEERPIDFD  // Linux 6.5
#define SO_PEERPIDFD 77
#endif

namespace genesys::schedule::processes {
namespace {

constexpr int nice_least = -20, nice_most = 19;
constexpr unsigned nice_limit_most = 40;
constexpr std::size_t groups_max = 1024;

std::string read_file(const std::string& name) {
  std::ifstream from(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

// The rest of the line that begins with `key`.
std::optional<std::string> line_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return std::nullopt;
}

// A process has all capabilities in a user namespace of its own; they count only in the daemon's.
bool shares_user_namespace(pid_t pid) {
  struct stat own {
  }, other{};
  if (::stat("/proc/self/ns/user", &own) != 0) return false;
  if (::stat(("/proc/" + std::to_string(pid) + "/ns/user").c_str(), &other) != 0) return false;
  return own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

}  // namespace

int least_nice(const process_facts& of, const std::vector<allowed_nice>& allowed) {
  if (of.may_lower) return nice_least;
  int least = std::min(of.nice, 20 - static_cast<int>(std::min(of.nice_limit, nice_limit_most)));
  for (const allowed_nice& each : allowed) {
    const bool is_meant = each.is_group
                              ? std::find(of.all_groups.begin(), of.all_groups.end(), each.id) != of.all_groups.end()
                              : of.uid == each.id;
    if (is_meant) least = std::min(least, each.nice);
  }
  return std::clamp(least, nice_least, nice_most);
}

std::string why_not(const process_facts& of, int asked, int least) {
  return "process " + std::to_string(of.pid) + " may not have nice " + std::to_string(asked) + "; the least is " +
         std::to_string(least) + ". Ask for that, or give it CAP_SYS_NICE or a limit (ulimit -e), or add it to the " +
         "daemon's allow list";
}

std::optional<peer> peer_of(int socket) {
  ucred credentials{};
  socklen_t bytes = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &bytes) != 0 || credentials.pid <= 0)
    return std::nullopt;
  peer who{credentials.pid, credentials.uid, {credentials.gid}, {}};
  std::vector<gid_t> further(groups_max);
  bytes = static_cast<socklen_t>(further.size() * sizeof(gid_t));
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, further.data(), &bytes) == 0)
    who.all_groups.insert(who.all_groups.end(), further.begin(),
                          further.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(gid_t)));
  int process = -1;
  bytes = sizeof process;
  // Before Linux 6.5 another process may have the number by now. It would have to get it between connect() and this
  // line, while the connection stays open elsewhere.
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &bytes) != 0 && errno == ENOPROTOOPT)
    process = static_cast<int>(::syscall(SYS_pidfd_open, who.pid, 0));
  who.process.reset(process);
  if (process < 0 || has_ended(who)) return std::nullopt;
  return who;
}

bool has_ended(const peer& who) {
  pollfd looked{who.process.get(), POLLIN, 0};
  return ::poll(&looked, 1, 0) != 0;
}

std::optional<process_facts> facts_of(const peer& who) {
  const std::string folder = "/proc/" + std::to_string(who.pid) + "/";
  const std::optional<int> nice = nice_in_stat(read_file(folder + "stat"));
  const std::optional<unsigned> limit = nice_limit_in(read_file(folder + "limits"));
  const std::optional<bool> may_lower = sys_nice_in(read_file(folder + "status"));
  const bool counts = shares_user_namespace(who.pid);
  // The files were those of this process only if it is still there.
  if (has_ended(who) || !nice || !limit || !may_lower) return std::nullopt;
  return process_facts{who.pid, who.uid, who.all_groups, *nice, *limit, *may_lower && counts};
}

std::optional<int> nice_in_stat(const std::string& text) {
  const std::size_t name_end = text.rfind(')');  // the name may contain anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  constexpr int before_nice = 16;  // fields 3 to 18 of proc(5)
  std::string skipped;
  for (int i = 0; i < before_nice; ++i) fields >> skipped;
  int nice;
  if (!(fields >> nice) || nice < nice_least || nice > nice_most) return std::nullopt;
  return nice;
}

std::optional<unsigned> nice_limit_in(const std::string& limits) {
  const std::optional<std::string> line = line_of(limits, "Max nice priority");
  if (!line) return std::nullopt;
  std::istringstream fields(*line);
  std::string soft;
  fields >> soft;
  if (soft == "unlimited") return nice_limit_most;
  unsigned limit;
  if (std::sscanf(soft.c_str(), "%u", &limit) != 1) return std::nullopt;
  return limit;
}

std::optional<bool> sys_nice_in(const std::string& status) {
  const std::optional<std::string> line = line_of(status, "CapEff:");
  unsigned long long effective;
  if (!line || std::sscanf(line->c_str(), "%llx", &effective) != 1) return std::nullopt;
  return (effective >> CAP_SYS_NICE & 1) != 0;
}

}  // namespace genesys::schedule::processes
