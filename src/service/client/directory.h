// SPDX-License-Identifier: Apache-2.0
// The directory: which services a daemon has when a client connects, and what their arguments are. The daemon writes it
// behind each client's ring (ring.h), and never reads it there. Plain bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace genesys::detail::serving {

constexpr std::uint32_t services_max = 64;  // as many as a server loads
constexpr std::uint32_t members_max = 48;   // of 4 bytes in 192
constexpr std::uint32_t name_bytes = 32;    // with the zero at the end

struct directory_member {
  char name[name_bytes];  // empty: a buffer that the service does not name
  std::uint32_t offset;
  std::uint32_t kind;       // service_member::kind_of_value
  std::uint32_t count;      // more than 1: an array
  std::uint32_t direction;  // of a buffer: service_field::direction
};
static_assert(sizeof(directory_member) == 48);

struct directory_service {
  char name[name_bytes];
  std::uint32_t argument_bytes;
  std::uint32_t members_count;
  std::uint32_t is_described;  // 1: the members are all of the arguments. 0: only the buffers are known
  std::uint32_t number;        // of requests. No other service of the daemon has or had it
  directory_member members[members_max];
};
static_assert(sizeof(directory_service) == 48 + 48 * members_max);

}  // namespace genesys::detail::serving
