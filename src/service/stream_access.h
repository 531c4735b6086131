// SPDX-License-Identifier: Apache-2.0
// What streams use of the public classes' private parts. Any thread.
#pragma once

#include <memory>

#include "genesys/service.h"

namespace genesys::detail::services {

struct stream_access {
  static const std::shared_ptr<core>& core_of(const service_server& server) { return server.core_; }
  // A ticket, as service_server::submit() makes it, that does not need the server.
  static service_ticket submit(const std::shared_ptr<core>& to, u32 row, u32 version, const packed_arguments& with,
                               const service_call& how);
};

}  // namespace genesys::detail::services
