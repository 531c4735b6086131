// SPDX-License-Identifier: Apache-2.0
// A daemon whose services other processes call by name (docs/service-daemon.md). A program is one:
//
//   int main(int argc, char** argv) { return genesys::serve_main<sum, sort>(argc, argv); }
//
// A service in it has, beside what service.h asks for:
//   static constexpr const char* name        by which it is called
//   static constexpr service_field fields[]  the buffers among its arguments, if there are any (service_buffer.h)
//   static constexpr service_member members[]  optional: all members of its arguments, by name (service_member.h)
// All members of its arguments that are no buffers are plain numbers. It checks in operator() that its numbers fit the
// buffers' sizes, and returns -EINVAL if they do not: they come from other processes. It trusts no value that it reads
// from a buffer either: a caller may change it at any time.
//
// Link genesys::service_daemon.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "genesys/service.h"
#include "genesys/service_buffer.h"
#include "genesys/service_member.h"

namespace genesys {

namespace detail::serving {
class daemon;

// What the daemon tells clients of a service, and compares their requests with.
struct served_description {
  std::string name;
  std::uint32_t argument_bytes = 0;
  std::vector<service_field> fields;
  std::vector<service_member> members;  // empty: not described
};

// A service by its name.
class served_service {
 public:
  virtual ~served_service() = default;
  virtual void load(service_server& on) = 0;
  // `arguments` were checked: about().argument_bytes, with pointers of the server. It does not wait for a slot.
  virtual service_ticket submit(service_server& on, const void* arguments, unsigned blocks) const = 0;
  const served_description& about() const { return about_; }

 protected:
  served_description about_;
};

template <class S>
class served final : public served_service {
  using A = typename S::arguments;

 public:
  served() {
    about_.name = S::name;
    about_.argument_bytes = std::is_empty_v<A> ? 0 : sizeof(A);
    if constexpr (requires { S::fields[0]; }) about_.fields.assign(std::begin(S::fields), std::end(S::fields));
    if constexpr (requires { S::members[0]; }) about_.members.assign(std::begin(S::members), std::end(S::members));
  }
  void load(service_server& on) override { loaded_ = on.load(S{}); }
  service_ticket submit(service_server& on, const void* arguments, unsigned blocks) const override {
    A with{};
    if constexpr (!std::is_empty_v<A>) std::memcpy(static_cast<void*>(&with), arguments, sizeof with);
    return on.submit(loaded_, with, {.blocks = blocks, .full = when_full::refuse});
  }

 private:
  service<S> loaded_;
};
}  // namespace detail::serving

// Services by name.
class service_registry {
 public:
  // loadable_services may be among them, and counts for nothing.
  template <class... S>
  static service_registry of() {
    service_registry made;
    (made.add<S>(), ...);
    return made;
  }

  std::vector<const detail::serving::served_description*> descriptions() const {
    std::vector<const detail::serving::served_description*> all;
    for (const auto& each : services_) all.push_back(&each->about());
    return all;
  }

 private:
  friend class detail::serving::daemon;
  template <class S>
  void add() {
    if constexpr (!std::is_same_v<S, loadable_services>)
      services_.push_back(std::make_unique<detail::serving::served<S>>());
  }
  std::vector<std::unique_ptr<detail::serving::served_service>> services_;
};

// A service that the daemon loads from files (docs/service-loading.md): PTX or a fatbin for a GPU, a shared object for
// the CPU device and for the twin, in any order.
struct service_to_load {
  std::vector<std::string> files;
  std::string name;  // the symbol of GENESYS_LOADABLE_SERVICE; at most 31 bytes
};

// Sizes are in bytes. What a client does not ask for it gets as far as this allows.
struct service_daemon_options {
  std::string socket;                                   // its path; the directory exists. Not used with `listening`
  int listening = -1;                                   // a socket that listens already (systemd); the daemon closes it
  std::optional<gid_t> group;                           // which may connect, besides root and the daemon's own user
  unsigned clients_max = 64, clients_of_user_max = 16;  // root has no limit of its own
  std::uint64_t client_bytes_default = std::uint64_t{64} << 20;
  std::uint64_t client_bytes_max = std::uint64_t{256} << 20;
  std::uint64_t bytes_max = std::uint64_t{1} << 30;  // of all clients
  unsigned client_slots_default = 64, client_slots_max = 1024;
  unsigned blocks_max = 1024;  // of a request
  // How many bytes of buffers the requests that the server has may use, of all clients together. What is more waits in
  // the clients' rings, so a new client's request soon has its turn.
  std::uint64_t bytes_in_flight_max = std::uint64_t{64} << 20;
  unsigned slots = 256;                 // of the server
  unsigned spin_us = 50;                // the serving thread looks for requests so long after the last, and then sleeps
  unsigned shutdown_timeout_ms = 2000;  // how long the end waits for requests
  std::vector<service_to_load> load;    // at the beginning. The server's list has loadable_services
  unsigned drain_ms = 2000;             // how long a load waits for requests in the kernel, and an unload for its own
  bool progress = false;                // a line on stderr each second that says what happens
};

// Serves other processes by a server of this one. One thread runs it.
class service_daemon {
 public:
  // Loads the services, and listens when it returns. The server must live longer, and its other users must leave it
  // `options.slots` slots. Throws error.
  service_daemon(service_server& on, service_registry services, const service_daemon_options& options);
  ~service_daemon();
  service_daemon(const service_daemon&) = delete;
  service_daemon& operator=(const service_daemon&) = delete;

  // Until stop().
  void run();
  // From any thread or signal handler.
  void stop();
  // From any thread or signal handler: run() prints the report on stderr.
  void ask_for_report();
  // Requests, bytes, and times by stage, service and client. Any thread, while run() runs or after it.
  std::string report();

 private:
  std::unique_ptr<detail::serving::daemon> daemon_;
};

namespace detail::serving {
using server_maker = std::function<std::unique_ptr<service_server>(const service_options&)>;
// The command line of serve_main(). The exit status.
int serve_command(int argc, char** argv, const server_maker& make, const std::function<service_registry()>& registry);
}  // namespace detail::serving

// A daemon as a program: it reads its command line (`--help`), serves until SIGTERM or SIGINT, and prints its report at
// the end, and at SIGUSR1. With loadable_services among S it also loads services from files. Returns the exit status.
template <class... S>
int serve_main(int argc, char** argv) {
  return detail::serving::serve_command(
      argc, argv,
      [](const service_options& chosen) { return std::make_unique<service_server>(service_list<S...>{}, chosen); },
      [] { return service_registry::of<S...>(); });
}

}  // namespace genesys
