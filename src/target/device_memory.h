// SPDX-License-Identifier: Apache-2.0
// Device memory, and how the host reads and writes it: the part of a device's interface that the abort protocol needs.
// Implemented by both devices (device.h), and by the stand-in for the driver's library. Any thread may call it.
#pragma once

#include <cstddef>

#include "genesys/detail/wire/types.h"

namespace genesys::detail {

class device_memory {
 public:
  virtual ~device_memory() = default;

  // Throws error(no_memory). Freeing may wait for any kernel.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void free(void* memory) = 0;
  virtual void copy_to_host(void* host, const void* device, std::size_t bytes) = 0;
  virtual void fill(void* device, int byte, std::size_t bytes) = 0;
  // Stores `value` into the first word of each of `rows` rows, in any order. The rows begin `apart` bytes apart.
  // Kernels may load the words meanwhile; each arrives whole. Waits for no kernel.
  virtual void store_words(void* device, u32 value, u32 rows, std::size_t apart) = 0;
};

}  // namespace genesys::detail
