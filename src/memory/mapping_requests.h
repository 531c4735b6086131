// SPDX-License-Identifier: Apache-2.0
// Sizes and advice in requests of kernels to map memory. Used by the sources of mappings.h.
#pragma once

#include <sys/mman.h>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

constexpr u64 page = 4096;
constexpr u64 length_max = u64{1} << 46;  // longer than any memory, short enough to add to an address

constexpr u64 up_to(u64 bytes, u64 whole) { return (bytes + whole - 1) / whole * whole; }

inline bool changes_nothing(int advice) {
  return advice == MADV_NORMAL || advice == MADV_RANDOM || advice == MADV_SEQUENTIAL || advice == MADV_WILLNEED;
}

}  // namespace genesys::detail
