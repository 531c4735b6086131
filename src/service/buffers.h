// SPDX-License-Identifier: Apache-2.0
// The memory that a server has for requests: the pool, the program's registered memory, and device memory that is kept
// for the next stream. The core owns it. Any thread may call it.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "genesys/service_stream.h"
#include "service/pool.h"
#include "service/registrations.h"
#include "target/device.h"

namespace genesys::detail::services {

class buffers {
 public:
  // `on` is null if the device is in another process, which `by` reaches. Throws error.
  buffers(device* on, mapper& by, std::size_t pool_bytes_max);
  // After the kernel has left. leak(): the kernel still runs, and keeps the memory.
  ~buffers();
  void leak();
  buffers(const buffers&) = delete;
  buffers& operator=(const buffers&) = delete;

  pool& pinned() { return pool_; }
  registrations& registered() { return registrations_; }
  // How many bytes from `at` on the device can use and copy as one. 0: none.
  std::size_t usable_bytes(const void* at) const;

  // Device memory. Freeing device memory waits for the kernel, so it is kept until the server ends. Throws
  // error(no_memory; bad_option: the device is in another process).
  void* take_device(std::size_t bytes);
  void give_device(void* memory, std::size_t bytes);

  // How streams move pieces of about this size, as measured; automatic: not measured.
  service_transfer learnt_transfer(std::size_t input_bytes, std::size_t output_bytes) const;
  void learn_transfer(std::size_t input_bytes, std::size_t output_bytes, service_transfer way);

 private:
  device* on_;
  pool pool_;
  registrations registrations_;
  mutable std::mutex lock_;
  std::multimap<std::size_t, void*> device_free_;  // by size
  std::map<std::pair<int, int>, service_transfer> transfers_;
};

}  // namespace genesys::detail::services
