// SPDX-License-Identifier: Apache-2.0
#include "scheduled.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <stdexcept>

#include "schedule/daemon/allow_list.h"
#include "schedule/daemon/client.h"
#include "schedule/daemon/server.h"
#include "schedule/daemon/service_manager.h"

namespace genesys::command {
namespace {

using schedule::processes::notify_service_manager;
using schedule::processes::server;
using schedule::processes::server_options;

constexpr rlim_t descriptors_needed = 4096;  // three for each connection, and those on their way to members

server* running = nullptr;

void stop_running(int) { running->stop(); }

gid_t group_named(const std::string& name) {
  const struct group* const found = ::getgrnam(name.c_str());
  if (found == nullptr) throw std::runtime_error("there is no group '" + name + "'");
  return found->gr_gid;
}

std::uint64_t ns_of(double ms) { return static_cast<std::uint64_t>(ms * 1e6); }

server_options options_of(const asked_daemon& asked) {
  server_options options;
  options.socket = asked.socket;
  if (options.socket.empty()) {
    options.socket = schedule::processes::default_daemon_socket();
    const std::string in = options.socket.substr(0, options.socket.rfind('/'));
    if (::mkdir(in.c_str(), ::geteuid() == 0 ? 0755 : 0700) != 0 && errno != EEXIST)
      throw std::runtime_error("cannot make the folder '" + in + "': " + std::strerror(errno));
  }
  if (!asked.group.empty()) options.group = group_named(asked.group);
  if (!asked.allow_list.empty()) options.allowed = schedule::processes::read_allow_list(asked.allow_list);
  options.aging.aging_step = ns_of(asked.aging_step_ms);
  options.aging.run_max = ns_of(asked.run_max_ms);
  options.aging.lease = ns_of(asked.lease_ms);
  return options;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= descriptors_needed) return;
  limit.rlim_cur = std::min(descriptors_needed, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// The process that was started ends; the daemon, its child, goes on without a terminal.
void go_to_background() {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(std::string("cannot fork: ") + std::strerror(errno));
  if (child > 0) ::_exit(0);  // without destructors: the socket is the child's
  ::setsid();
  if (::chdir("/") != 0) throw std::runtime_error("cannot change to the folder '/'");
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) ::dup2(null, fd);
  ::close(null);
}

}  // namespace

int run_daemon(std::ostream& errors, const asked_daemon& asked) {
  try {
    raise_descriptor_limit();
    server daemon(options_of(asked));
    running = &daemon;
    struct sigaction on_signal {};
    on_signal.sa_handler = stop_running;
    ::sigaction(SIGTERM, &on_signal, nullptr);
    ::sigaction(SIGINT, &on_signal, nullptr);
    if (!asked.foreground) go_to_background();
    notify_service_manager("READY=1");
    daemon.run();
    notify_service_manager("STOPPING=1");
    ::signal(SIGTERM, SIG_DFL), ::signal(SIGINT, SIG_DFL);
    return 0;
  } catch (const std::runtime_error& error) {
    errors << "genesys: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
