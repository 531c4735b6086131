// SPDX-License-Identifier: Apache-2.0
// Addresses for memory that is shared with other processes. An isolated server reserves them before it forks, so its
// children have them free, too, and map the same memory at the same addresses. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace genesys::detail::services {

class shared_window {
 public:
  // Reserves addresses only, half as many as long as Linux refuses. 0: Linux chooses the address of each mapping.
  explicit shared_window(std::size_t bytes);
  ~shared_window();
  shared_window(const shared_window&) = delete;
  shared_window& operator=(const shared_window&) = delete;

  // Maps the first bytes of the memory. Throws error(no_pinned_memory).
  void* map(int fd, std::size_t bytes);
  // Of map().
  void unmap(void* memory);

 private:
  char* place(std::size_t bytes);

  char* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::mutex lock_;
  std::map<char*, std::size_t> taken_;  // bytes, whole pages
};

}  // namespace genesys::detail::services
