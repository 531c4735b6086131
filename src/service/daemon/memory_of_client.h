// SPDX-License-Identifier: Apache-2.0
// The memory of a client's buffers: a memfd, which the server's device can use while this object lives. The door makes
// and destroys it.
#pragma once

#include <cstdint>

#include "genesys/service.h"
#include "service/daemon/check.h"
#include "service/shared_memory.h"

namespace genesys::detail::serving {

class memory_of_client {
 public:
  // Takes all pages from Linux now, so that no access to them fails later. Throws error(no_pinned_memory), or what
  // service_server::register_memory() throws.
  memory_of_client(service_server& server, std::uint64_t bytes);
  memory_of_client(memory_of_client&&) noexcept = default;
  memory_of_client& operator=(memory_of_client&&) noexcept = default;

  client_range range() const { return {static_cast<std::byte*>(memory_.data()), memory_.bytes()}; }
  int fd() const { return memory_.fd(); }
  // The mapping and its registration stay for ever.
  void leak();

 private:
  services::shared_memory memory_;
  service_registration registered_;  // ends before the mapping
};

}  // namespace genesys::detail::serving
