// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/memory_of_client.h"

#include <cstring>

namespace genesys::detail::serving {

memory_of_client::memory_of_client(service_server&, std::uint64_t bytes)
    : memory_(services::shared_memory::make(bytes)) {
  if (const int why = memory_.commit(0, memory_.bytes()); why != 0)
    throw error(error_code::no_pinned_memory, std::string("no memory for the client (") + std::strerror(-why) + ")");
}

void memory_of_client::leak() { memory_.leak(); }

}  // namespace genesys::detail::serving
