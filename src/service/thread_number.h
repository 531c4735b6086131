// SPDX-License-Identifier: Apache-2.0
// Threads that use services are numbered, so that they begin at different places. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace genesys::detail::services {

inline std::uint32_t number_of_thread() {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

}  // namespace genesys::detail::services
