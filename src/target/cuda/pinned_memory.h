// SPDX-License-Identifier: Apache-2.0
// Host memory at one address for the host and the GPU. Any thread.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <vector>

namespace genesys::detail {

// Pinning is most of a runtime's start. cudaHostAlloc zeroes by one thread, in small pages. So large memory comes in
// huge pages from Linux, which some threads touch, and is then registered (bench startup; docs/applications.md).
class pinned_memory {
 public:
  explicit pinned_memory(int ordinal);
  ~pinned_memory() = default;
  pinned_memory(const pinned_memory&) = delete;
  pinned_memory& operator=(const pinned_memory&) = delete;

  // The memory is zero. A child of fork() does not have it. Throws error: no_pinned_memory.
  void* allocate(std::size_t bytes);
  // Addresses for memory that pin() pins by parts. If CUDA would give such memory other addresses, all is pinned now.
  // Throws error: no_pinned_memory.
  void* reserve(std::size_t bytes);
  // Pins a part of what reserve() gave: whole pages, each once. Returns false if Linux or CUDA refuses.
  bool pin(void* part, std::size_t bytes);
  void free(void* memory);

 private:
  struct mapping {
    unsigned char* memory = nullptr;
    std::size_t bytes = 0;
    std::vector<void*> pinned;  // the beginnings of its parts
  };

  void* allocate_at_once(std::size_t bytes);
  unsigned char* map(std::size_t bytes);

  int ordinal_;
  bool same_addresses_ = false;  // the GPU uses the host's address for registered memory
  std::mutex lock_;
  std::list<mapping> mapped_;
};

}  // namespace genesys::detail
