// SPDX-License-Identifier: Apache-2.0
// Integers, and their bytes in network order. Device and host.
#pragma once

#include <atomic>
#include <cstdint>

#include "genesys/kernel.h"

namespace memcached {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using order = std::memory_order;

GENESYS_KERNEL u64 load_big(const u8* at, u32 bytes) {
  u64 value = 0;
  for (u32 i = 0; i < bytes; ++i) value = value << 8 | at[i];
  return value;
}
GENESYS_KERNEL void store_big(u8* at, u64 value, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) at[i] = static_cast<u8>(value >> 8 * (bytes - 1 - i));
}

}  // namespace memcached
