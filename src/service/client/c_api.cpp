// SPDX-License-Identifier: Apache-2.0
// The functions of genesys/service_c.h. No exception leaves them.
#include "genesys/service_c.h"

#include <cerrno>
#include <new>
#include <string>

#include "genesys/service_client.h"
#include "service/client/connection.h"

#define GENESYS_C_API extern "C" __attribute__((visibility("default")))

using genesys::detail::serving::connection;

struct genesys_service_client {
  explicit genesys_service_client(const genesys::service_client_options& options) : to(options) {}
  connection to;
};

namespace {

thread_local std::string last_error;

template <class F>
auto without_exceptions(F body, decltype(body()) failed) -> decltype(body()) {
  try {
    return body();
  } catch (const genesys::service_client_error& caught) {
    last_error = caught.what();
    errno = caught.number();
  } catch (const std::bad_alloc&) {
    last_error = "genesys: there is no memory";
    errno = ENOMEM;
  } catch (const std::exception& caught) {
    last_error = caught.what();
    errno = EIO;
  }
  return failed;
}

long submit(genesys_service_client* client, int service, const void* arguments, size_t bytes,
            const genesys::remote_call& how, genesys_service_ticket& ticket) {
  return client->to.submit(static_cast<std::uint32_t>(service), arguments, bytes, how, ticket.slot, ticket.use);
}

}  // namespace

GENESYS_C_API genesys_service_client* genesys_service_connect(const char* socket, size_t memory_bytes) {
  return without_exceptions(
      [&]() -> genesys_service_client* {
        genesys::service_client_options options;
        if (socket != nullptr) options.socket = socket;
        options.memory_bytes = memory_bytes;
        return new genesys_service_client(options);
      },
      nullptr);
}

GENESYS_C_API void genesys_service_close(genesys_service_client* client) { delete client; }

GENESYS_C_API const char* genesys_service_error(void) { return last_error.c_str(); }

GENESYS_C_API int genesys_service_find(genesys_service_client* client, const char* name) {
  for (const genesys::remote_description& each : client->to.services()) {
    if (each.name == name) return static_cast<int>(each.number);
  }
  last_error = "genesys: the daemon has no service '" + std::string(name) + "'";
  return -ENOENT;
}

GENESYS_C_API void* genesys_service_allocate(genesys_service_client* client, size_t bytes) {
  void* const made = without_exceptions([&] { return client->to.allocate(bytes); }, nullptr);
  if (made == nullptr) {
    last_error = "genesys: the client's memory is full";
    errno = ENOMEM;
  }
  return made;
}

GENESYS_C_API void genesys_service_free(genesys_service_client* client, void* memory) { client->to.free(memory); }

GENESYS_C_API int64_t genesys_service_call(genesys_service_client* client, int service, const void* arguments,
                                           size_t bytes, unsigned blocks) {
  genesys_service_ticket ticket;
  const long refused = submit(client, service, arguments, bytes, {blocks, false}, ticket);
  return refused != 0 ? refused : client->to.wait(ticket.slot, ticket.use);
}

GENESYS_C_API int genesys_service_submit(genesys_service_client* client, int service, const void* arguments,
                                         size_t bytes, unsigned blocks, genesys_service_ticket* ticket) {
  return static_cast<int>(submit(client, service, arguments, bytes, {blocks, true}, *ticket));
}

GENESYS_C_API int64_t genesys_service_wait(genesys_service_client* client, genesys_service_ticket ticket) {
  return client->to.wait(ticket.slot, ticket.use);
}

GENESYS_C_API int genesys_service_poll(genesys_service_client* client, genesys_service_ticket ticket, int64_t* result) {
  long got = 0;
  if (!client->to.collect(ticket.slot, ticket.use, got)) return 0;
  *result = got;
  return 1;
}

GENESYS_C_API void genesys_service_drop(genesys_service_client* client, genesys_service_ticket ticket) {
  client->to.abandon(ticket.slot);
}

GENESYS_C_API unsigned genesys_service_count(genesys_service_client* client) {
  return static_cast<unsigned>(client->to.services().size());
}

GENESYS_C_API int genesys_service_describe(genesys_service_client* client, unsigned service,
                                           genesys_service_description* into) {
  if (service >= client->to.services().size()) return -ENOENT;
  const genesys::remote_description& it = client->to.services()[service];
  *into = {it.name.c_str(), it.argument_bytes, static_cast<std::uint32_t>(it.members.size()), it.is_described};
  return 0;
}

GENESYS_C_API int genesys_service_describe_member(genesys_service_client* client, unsigned service, unsigned member,
                                                  genesys_service_member* into) {
  if (service >= client->to.services().size()) return -ENOENT;
  const genesys::remote_description& of = client->to.services()[service];
  if (member >= of.members.size()) return -ENOENT;
  const genesys::remote_member& it = of.members[member];
  *into = {it.name.c_str(), it.offset, it.kind, it.count, static_cast<std::uint32_t>(it.direction)};
  return 0;
}

GENESYS_C_API void* genesys_service_memory(genesys_service_client* client, size_t* bytes) {
  *bytes = client->to.memory_bytes();
  return client->to.memory();
}
