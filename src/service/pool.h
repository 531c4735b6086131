// SPDX-License-Identifier: Apache-2.0
// The pool: pinned memory for requests, in one mapping that other processes can map, too. It takes pages from Linux,
// and registers them with the device, only when they are needed. Any thread may call it.
//
// What is free and what is taken stands in the server's own memory, because kernels and clients write to the pool.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "genesys/service.h"
#include "service/shared_memory.h"
#include "target/mapper.h"

namespace genesys::detail::services {

class pool {
 public:
  // Reserves addresses only. Throws error(no_pinned_memory).
  pool(mapper& by, std::size_t bytes_max);
  // Waits for running kernels. leak(): the kernel keeps the memory.
  ~pool();
  void leak();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  // Zeroed memory, aligned to 4,096 bytes if there are as many, else to 256. nullptr: the pool is full and `full` is
  // refuse, or close() came. Throws error: bad_option (the pool can never have so much), no_pinned_memory (Linux or
  // the device gives no more).
  void* allocate(std::size_t bytes, when_full full);
  // Throws error(bad_option): allocate() did not return this address, or it is free already. Null is allowed.
  void free(void* memory);
  // Nobody waits for memory any more.
  void close();

  // How many bytes from `at` on lie in one registration of the device; a copy crosses none. 0: it is not of the pool.
  std::size_t registered_bytes(const void* at) const;
  // The whole mapping. Its first counts().pinned_bytes have pages.
  const shared_memory& memory() const { return memory_; }
  service_pool_counts counts() const;

 private:
  using range = std::pair<std::size_t, std::size_t>;  // {bytes, offset} of what is free

  std::size_t take(std::size_t bytes, std::size_t alignment);
  bool grow(std::size_t bytes);
  void give(std::size_t from, std::size_t bytes);
  void insert_free(std::size_t from, std::size_t bytes);
  void erase_free(std::map<std::size_t, std::size_t>::iterator which);
  char* at(std::size_t offset) const { return static_cast<char*>(memory_.data()) + offset; }

  mapper& by_;
  shared_memory memory_;
  mutable std::mutex lock_;
  std::condition_variable freed_;
  bool closed_ = false;
  std::map<std::size_t, std::size_t> free_;   // bytes by offset; neighbours are joined
  std::set<range> free_by_size_;              // the same
  std::map<std::size_t, std::size_t> taken_;  // bytes by offset
  std::map<std::size_t, std::size_t> registrations_;
  std::size_t pinned_ = 0;  // bytes from the beginning that have pages, and that the device knows
  std::size_t used_ = 0;    // bytes from the beginning that were ever taken; the others are zeros
  service_pool_counts counts_;
};

}  // namespace genesys::detail::services
