// SPDX-License-Identifier: Apache-2.0
// Calls the services of a daemon, `genesys serve` (docs/service-daemon.md). For programs that have no server of their
// own. It needs no CUDA: link genesys::service_client. service_c.h is the same for C.
//
//   genesys::service_client services;
//   const auto sums = services.find<sum>();                 // by its name; the layout of its arguments is compared
//   auto* numbers = static_cast<float*>(services.allocate(4096 * sizeof(float)));
//   long result = services.call(sums, {{numbers, 4096 * sizeof(float)}});
//
// Buffers among the arguments lie in memory of allocate(), which the daemon and the device map too: nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "genesys/error.h"
#include "genesys/service_buffer.h"

namespace genesys {

struct service_client_options {
  // Of the daemon. Empty: the environment's GENESYS_SERVE, else $XDG_RUNTIME_DIR/genesys/serve.sock if there is one,
  // else /run/genesys/serve.sock.
  std::string socket = {};
  std::size_t memory_bytes = 0;  // for buffers. 0: what the daemon gives without being asked
  unsigned slots = 0;            // requests in flight. 0: the same
  unsigned spin_us = 50;         // a thread looks for its completion so long, and then sleeps
  unsigned timeout_ms = 5000;    // of the connection's beginning
};

// Thrown by service_client. `number()` is an errno: ENOENT (no daemon), EACCES (not allowed), EDQUOT (over a quota) ...
class service_client_error : public error {
 public:
  service_client_error(error_code code, int number, const std::string& what) : error(code, what), number_(number) {}
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// How a request is to be run.
struct remote_call {
  unsigned blocks = 1;          // that it wants, of the server's threads each
  bool refuse_if_full = false;  // -EAGAIN instead of waiting if as many requests are in flight as the client has slots
};

// A service of the daemon.
struct remote_service_number {
  std::uint32_t number = 0;
};
template <class S>
class remote_service : public remote_service_number {};

namespace detail::serving {
class connection;

// What a program knows of a service. The client compares it with the daemon's directory.
struct known_service {
  std::string_view name;
  std::uint32_t argument_bytes;
  const service_field* fields;
  std::size_t fields_count;
};

template <class S>
constexpr known_service known() {
  using A = typename S::arguments;
  static_assert(std::is_trivially_copyable_v<A>, "services take plain values");
  known_service it{S::name, std::is_empty_v<A> ? 0 : static_cast<std::uint32_t>(sizeof(A)), nullptr, 0};
  if constexpr (requires { S::fields[0]; }) {
    it.fields = S::fields;
    it.fields_count = sizeof(S::fields) / sizeof(S::fields[0]);
  }
  return it;
}
}  // namespace detail::serving

// A request under way. Wait for it once. If it is destroyed before, the request goes on, and nobody gets the result.
class remote_ticket {
 public:
  remote_ticket(remote_ticket&&) noexcept;
  remote_ticket& operator=(remote_ticket&&) noexcept;
  ~remote_ticket();

  bool is_done();
  // The request's result, as call() returns it.
  long wait();

 private:
  friend class service_client;
  remote_ticket() = default;
  void drop();
  std::shared_ptr<detail::serving::connection> connection_;
  std::uint32_t slot_ = 0, use_ = 0;
  bool is_under_way_ = false;
  long result_ = 0;
};

// A member of a service's arguments, as the daemon tells it.
struct remote_member {
  std::string name;                   // empty: a buffer that the service does not name
  std::uint32_t offset, kind, count;  // kind: service_member::kind_of_value; 0 is a buffer
  service_field::direction direction;
};
struct remote_description {
  std::string name;
  std::uint32_t number, argument_bytes;
  bool is_described;  // the members are all of the arguments. false: they are the buffers among them
  std::vector<remote_member> members;
};

// A connection to the daemon. Any thread may call these functions, several at once. After fork() only the parent may:
// a child gets -ECHILD.
class service_client {
 public:
  // Throws service_client_error.
  explicit service_client(const service_client_options& options = {});
  // Waits for no request. The daemon frees the memory when the last one has ended.
  ~service_client();
  service_client(const service_client&) = delete;
  service_client& operator=(const service_client&) = delete;

  const std::vector<remote_description>& services() const;

  // Throws service_client_error: ENOENT (the daemon has no such service), EPROTO (its arguments are laid out
  // otherwise).
  template <class S>
  remote_service<S> find() const {
    remote_service<S> it;
    it.number = find_known(detail::serving::known<S>());
    return it;
  }
  // By its name alone. Throws service_client_error(ENOENT).
  remote_service_number find(std::string_view name) const;

  // Memory for buffers, aligned to 256 bytes. Its content is undefined. Null: there is not so much left.
  void* allocate(std::size_t bytes);
  // Null is allowed. Memory that a request uses must stay allocated until the request has ended.
  void free(void* memory);
  std::size_t memory_bytes() const;

  // Calls the service and waits. Its result; what a server answers (docs/service.md); or: -ECONNRESET (the daemon has
  // ended: make another client), -EFAULT (a buffer is not in this client's memory), -EINVAL (the size of the arguments,
  // the blocks, a buffer that is not aligned to 8 bytes), -EAGAIN (full), -ECHILD (after fork()).
  template <class S>
  long call(const remote_service<S>& which, const typename S::arguments& with, const remote_call& how = {}) {
    return call_bytes(which, &with, std::is_empty_v<typename S::arguments> ? 0 : sizeof with, how);
  }
  template <class S>
  [[nodiscard]] remote_ticket submit(const remote_service<S>& which, const typename S::arguments& with,
                                     const remote_call& how = {}) {
    return submit_bytes(which, &with, std::is_empty_v<typename S::arguments> ? 0 : sizeof with, how);
  }
  // The same with arguments as bytes. Buffers among them are service_buffer, with pointers of this process.
  long call_bytes(remote_service_number which, const void* arguments, std::size_t bytes, const remote_call& how = {});
  [[nodiscard]] remote_ticket submit_bytes(remote_service_number which, const void* arguments, std::size_t bytes,
                                           const remote_call& how = {});

  // The text of `genesys serve --status`. Throws service_client_error.
  static std::string status(const std::string& socket = {});
  // The text of `genesys services`: the daemon's services.
  static std::string list(const std::string& socket = {});
  // Loads a service of files into the daemon (docs/service-loading.md): PTX or a fatbin for a GPU, a shared object for
  // the CPU device and for the twin; one or two, in any order. `name`: its symbol. Clients that connect later find it.
  // It waits until the service is loaded, and throws service_client_error: EPERM (only root and the daemon's user may),
  // EEXIST (there is one of this name), EINVAL (the files), EBUSY, EAGAIN, ENOSPC, ENOMEM.
  static void load(const std::vector<std::string>& files, const std::string& name, const std::string& socket = {});
  // Requests for it get -ENOENT from here on. Waits for those under way. Throws service_client_error: EPERM, ENOENT
  // (there is none), EINVAL (it was not loaded), ETIMEDOUT (requests still run: call it again), EAGAIN.
  static void unload(const std::string& name, const std::string& socket = {});

 private:
  std::uint32_t find_known(const detail::serving::known_service& what) const;
  std::shared_ptr<detail::serving::connection> connection_;
};

}  // namespace genesys
