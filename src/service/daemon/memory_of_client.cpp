// SPDX-License-Identifier: Apache-2.0
#include "service/daemon/memory_of_client.h"

#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace genesys::detail::serving {

memory_of_client::memory_of_client(service_server& server, std::uint64_t bytes)
    : memory_(services::shared_memory::make(bytes)) {
  if (const int why = memory_.commit(0, memory_.bytes()); why != 0)
    throw error(error_code::no_pinned_memory, std::string("no memory for the client (") + std::strerror(-why) + ")");
  registered_ = server.register_memory(memory_.data(), memory_.bytes());
}

void memory_of_client::leak() {
  memory_.leak();
  static std::mutex lock;
  static auto& left = *new std::vector<service_registration>;
  const std::lock_guard hold(lock);
  left.push_back(std::move(registered_));
}

}  // namespace genesys::detail::serving
