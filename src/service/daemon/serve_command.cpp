// SPDX-License-Identifier: Apache-2.0
// The command line of a daemon: serve_main() of genesys/serve.h. Called by main().
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "genesys/serve.h"
#include "genesys/service_client.h"
#include "schedule/daemon/service_manager.h"

namespace genesys::detail::serving {
namespace {

using schedule::processes::notify_service_manager;

constexpr rlim_t descriptors_needed = 4096;  // four for each client, and those on their way
constexpr int first_passed_descriptor = 3;   // sd_listen_fds(3)

service_daemon* running = nullptr;

void stop_running(int) { running->stop(); }
void report_running(int) { running->ask_for_report(); }

void on_signal(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

struct asked {
  std::string socket, group, device = "any", where = "gpu";
  bool status = false, list = false, quiet = false;
  std::vector<std::string> load;
  service_options server;
  std::uint64_t client_mib = 256, memory_mib = 1024, in_flight_mib = 64;
  service_daemon_options daemon;
};

gid_t group_named(const std::string& name) {
  const struct group* const found = ::getgrnam(name.c_str());
  if (found == nullptr) throw error(error_code::bad_option, "there is no group '" + name + "'");
  return found->gr_gid;
}

// Where a daemon listens if it is told no socket. The folder is made.
std::string default_socket() {
  const char* const folder = ::secure_getenv("XDG_RUNTIME_DIR");
  const bool is_system = ::geteuid() == 0 || folder == nullptr || *folder == '\0';
  const std::string in = (is_system ? std::string("/run") : std::string(folder)) + "/genesys";
  if (::mkdir(in.c_str(), ::geteuid() == 0 ? 0755 : 0700) != 0 && errno != EEXIST)
    throw error(error_code::system, "cannot make the folder '" + in + "' (" + std::strerror(errno) + ")");
  return in + "/serve.sock";
}

// FILE:NAME or FILE,FILE:NAME. The name has no colon. Null: it is something else.
std::optional<service_to_load> service_in(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || colon + 1 == text.size()) return std::nullopt;
  const std::string files = text.substr(0, colon);
  const std::size_t comma = files.find(',');
  service_to_load made{{files.substr(0, comma)}, text.substr(colon + 1)};
  if (comma != files.npos) made.files.push_back(files.substr(comma + 1));
  return made;
}

std::string why_no_service(const std::string& text) {
  return service_in(text) ? std::string() : "'" + text + "' is not FILE:NAME or FILE,FILE:NAME";
}

// The socket that systemd has made, as sd_listen_fds(3) passes it; -1: none.
int passed_socket() {
  const char* const process = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  if (process == nullptr || count == nullptr || std::atol(process) != ::getpid()) return -1;
  int type = 0;
  socklen_t bytes = sizeof type;
  if (std::strcmp(count, "1") != 0 || ::getsockopt(first_passed_descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 ||
      type != SOCK_SEQPACKET)
    throw error(error_code::bad_option, "systemd is to pass one socket of packets: ListenSequentialPacket=");
  ::fcntl(first_passed_descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(first_passed_descriptor, F_SETFL, O_NONBLOCK);
  return first_passed_descriptor;
}

void add_options(CLI::App& app, asked& into) {
  app.add_option("--socket", into.socket,
                 "Listen here (else /run/genesys/serve.sock, or $XDG_RUNTIME_DIR/genesys/serve.sock for a user)");
  app.add_option("--group", into.group, "Also this group may connect (else root and the daemon's user alone)");
  app.add_flag("--status", into.status, "Print the report of the daemon that runs, and serve nothing");
  app.add_flag("--list", into.list, "Print the services and their arguments, and serve nothing");
  app.add_flag("--quiet", into.quiet, "No line on a terminal that says what happens");
  app.add_option("--device", into.device, "cpu or cuda (else GENESYS_DEVICE, else the best that is there)")
      ->check(CLI::IsMember({"any", "cpu", "cuda"}));
  app.add_option("--where", into.where,
                 "Requests go to the gpu, to twins on the cpu, or where they are expected to be fast")
      ->check(CLI::IsMember({"gpu", "cpu", "automatic"}))
      ->capture_default_str();
  app.add_option("--load", into.load,
                 "FILE:NAME or FILE,FILE:NAME: also load this service, from PTX, a shared object, or both; may be "
                 "given several times")
      ->type_name("FILE:NAME")
      ->allow_extra_args(false)
      ->check(why_no_service, "");
  app.add_option("--drain-ms", into.daemon.drain_ms,
                 "A load waits so long for requests in the kernel, as others do meanwhile; an unload for its own")
      ->capture_default_str();
  app.add_option("--blocks", into.server.blocks, "Of the kernel, which run requests (else an eighth of a GPU)");
  app.add_option("--threads", into.server.threads, "Of each block");
  app.add_option("--slots", into.server.slots, "Requests that the server has at a time")->capture_default_str();
  app.add_option("--idle-us", into.server.idle_us, "The kernel leaves after this time without requests")
      ->capture_default_str();
  app.add_option("--stay-ms", into.server.stay_ms, "The kernel leaves after this time, and comes back; 0: not")
      ->capture_default_str();
  app.add_option("--limit-ms", into.server.limit_ms, "A request that takes longer fails; 0: no limit")
      ->capture_default_str();
  app.add_flag("--isolated", into.server.isolated, "The GPU's side is a process of its own, replaced when it fails");
  app.add_option("--client-mib", into.client_mib, "Memory that a client may have")->capture_default_str();
  app.add_option("--memory-mib", into.memory_mib, "Memory of all clients")->capture_default_str();
  app.add_option("--client-slots", into.daemon.client_slots_max, "Requests that a client may have in flight")
      ->capture_default_str();
  app.add_option("--in-flight-mib", into.in_flight_mib, "Bytes that the server's requests may use at a time")
      ->capture_default_str();
  app.add_option("--clients", into.daemon.clients_max, "How many there may be")->capture_default_str();
  app.add_option("--clients-of-user", into.daemon.clients_of_user_max, "How many of one user, except root")
      ->capture_default_str();
  app.add_option("--blocks-max", into.daemon.blocks_max, "That a request may want")->capture_default_str();
  app.add_option("--spin-us", into.daemon.spin_us, "Look for requests so long after the last one, and then sleep")
      ->capture_default_str();
  app.footer("SIGUSR1 prints the report, SIGTERM and SIGINT end the daemon.");
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= descriptors_needed) return;
  limit.rlim_cur = std::min(descriptors_needed, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void serve(asked& what, const server_maker& make, service_registry registry) {
  service_daemon_options& options = what.daemon;
  what.server.device.device = what.device == "cpu"    ? device_kind::cpu
                              : what.device == "cuda" ? device_kind::cuda
                                                      : device_kind::any;
  what.server.where = what.where == "cpu"         ? service_path::cpu
                      : what.where == "automatic" ? service_path::automatic
                                                  : service_path::gpu;
  options.listening = what.socket.empty() ? passed_socket() : -1;
  options.socket = !what.socket.empty() || options.listening >= 0 ? what.socket : default_socket();
  if (!what.group.empty()) options.group = group_named(what.group);
  options.client_bytes_max = what.client_mib << 20;
  options.bytes_max = what.memory_mib << 20;
  options.bytes_in_flight_max = what.in_flight_mib << 20;
  options.slots = what.server.slots;
  for (const std::string& each : what.load) options.load.push_back(*service_in(each));
  options.progress = !what.quiet && ::isatty(STDERR_FILENO) != 0;
  raise_descriptor_limit();
  const std::unique_ptr<service_server> server = make(what.server);
  {
    service_daemon daemon(*server, std::move(registry), options);
    running = &daemon;
    on_signal(SIGTERM, stop_running), on_signal(SIGINT, stop_running), on_signal(SIGUSR1, report_running);
    std::cerr << "genesys: serves at '" << (options.socket.empty() ? "systemd's socket" : options.socket) << "'; "
              << server->describe() << std::endl;
    notify_service_manager("READY=1");
    daemon.run();
    notify_service_manager("STOPPING=1");
    on_signal(SIGTERM, SIG_DFL), on_signal(SIGINT, SIG_DFL), on_signal(SIGUSR1, SIG_IGN);
    std::cerr << daemon.report();
  }
}

void print_list(const service_registry& registry) {
  static constexpr const char* kinds[] = {"buffer", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"};
  for (const served_description* each : registry.descriptions()) {
    std::cout << each->name << "  (" << each->argument_bytes << " bytes)\n";
    for (const service_member& member : each->members) {
      std::cout << "    " << member.name << "  " << kinds[member.kind];
      if (member.count > 1) std::cout << "[" << member.count << "]";
      std::cout << " at " << member.offset << "\n";
    }
  }
}

}  // namespace

int serve_command(int argc, char** argv, const server_maker& make, const std::function<service_registry()>& registry) {
  CLI::App app{"Serves other processes by services of a GPU"};
  app.name("genesys serve");
  asked what;
  add_options(app, what);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& caught) {
    return app.exit(caught) == 0 ? 0 : 2;
  }
  try {
    if (what.list) {
      print_list(registry());
    } else if (what.status) {
      std::cout << service_client::status(what.socket);
    } else {
      serve(what, make, registry());
    }
    return 0;
  } catch (const std::runtime_error& caught) {
    std::cerr << caught.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::detail::serving
