// SPDX-License-Identifier: Apache-2.0
// Nodes of BLAKE3's tree on the CPU, as many at a time as its vectors have words. Any thread, several at once.
#pragma once

#include "genesys/services/blake3_compress.h"

namespace genesys::services::detail {

// A node of whole blocks of 64 bytes: a chunk, or two chaining values in a row.
struct blake3_node {
  const u8* from;
  u64 counter;
  u32 flags, first_flags, last_flags;  // of all its blocks, of the first and of the last one
  blake3_value* to;
};

// Makes the values of `count` nodes, all of `blocks` blocks.
void blake3_make(const blake3_node* nodes, u64 count, u32 blocks);

}  // namespace genesys::services::detail
