// SPDX-License-Identifier: Apache-2.0
// What the daemon uses of a server's private parts: services of which it knows only what their files say. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "genesys/service.h"
#include "service/file_bytes.h"

namespace genesys::detail::services {

struct file_access {
  struct loaded {
    u32 row = 0, version = 0;
    loadable_description about{};
  };
  // As service_server::load_file(). The service has no members. Throws error.
  static loaded load(service_server& on, const service_bytes& from, const std::string& symbol, unsigned drain_ms);
  // As service_server::unload().
  static int unload(service_server& on, const loaded& which, unsigned timeout_ms);
  // As service_server::submit(). `arguments` has about.argument_bytes.
  static service_ticket submit(service_server& on, const loaded& which, const void* arguments, const service_call& how);
};

}  // namespace genesys::detail::services
