// SPDX-License-Identifier: Apache-2.0
// The layout of the table of known addresses in device memory. staging/known_addresses.h looks addresses up and enters
// them.
#pragma once

#include "genesys/detail/wire/device_context.h"

namespace genesys::detail::wire {

constexpr u32 ranges_max = 1024;

struct range {
  u64 begin, end;
  pointer_kind kind;
};

// A range in the table. Each word: {low bits of the epoch : 16 | value : 48}.
struct range_entry {
  u64 begin, end, kind;
};

struct alignas(16) range_table {  // so that one load gets the first 16 bytes
  u64 state;                      // {epoch of the entries : 32 | entries : 32}; written by lanes
  u32 lock;                       // 1 while a lane adds an entry
  u32 epoch;                      // written by the host
  range_entry entries[ranges_max];
};

constexpr u32 range_value_bits = 48;
constexpr u64 range_value_mask = (u64{1} << range_value_bits) - 1;

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
