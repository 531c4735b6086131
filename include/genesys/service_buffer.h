// SPDX-License-Identifier: Apache-2.0
// Buffers among the arguments of a service, and their description for callers that are not in the server's process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace genesys {

// Memory that a service reads or writes: valid on the device, aligned to 8 bytes unless the service says otherwise.
struct service_buffer {
  void* data;
  std::uint64_t bytes;
};
struct service_input {
  const void* data;
  std::uint64_t bytes;
};

// Where a buffer stands in a service's arguments, and what the service does with it.
struct service_field {
  enum direction : std::uint32_t { input, output, both };
  std::uint32_t offset;
  direction is;
};

}  // namespace genesys
