// SPDX-License-Identifier: Apache-2.0
#include "service/file_access.h"

#include <cstring>

#include "service/core.h"

namespace genesys::detail::services {

file_access::loaded file_access::load(service_server& on, const service_bytes& from, const std::string& symbol,
                                      unsigned drain_ms) {
  static constexpr char no_members = 0;
  loaded made;
  const wanted_service wanted{.symbol = symbol, .any_arguments = true, .object = &no_members, .drain_ms = drain_ms};
  made.about = on.core_->files().load(from, wanted, made.row, made.version);
  return made;
}

int file_access::unload(service_server& on, const loaded& which, unsigned timeout_ms) {
  return on.unload_row(which.row, which.version, timeout_ms);
}

service_ticket file_access::submit(service_server& on, const loaded& which, const void* arguments,
                                   const service_call& how) {
  packed_arguments packed;
  packed.count = (which.about.argument_bytes + 7) / 8;
  packed.quiet = which.about.quiet != 0;
  if (packed.count != 0) packed.words[packed.count - 1] = 0;
  std::memcpy(packed.words, arguments, which.about.argument_bytes);
  return on.submit_row(which.row, which.version, packed, how);
}

}  // namespace genesys::detail::services
