// SPDX-License-Identifier: Apache-2.0
// The numbers of rings, SQEs and callers that the parts of this bench use, and the size of their memory.
#pragma once

#include <cstddef>

namespace direct {

constexpr unsigned warp = 32;
constexpr unsigned entries = 4096;  // SQEs of a ring
constexpr unsigned rings_tried[] = {1, 2, 4, 8};
constexpr unsigned callers_max = 4096;
constexpr std::size_t memory_bytes = 64u << 20;  // for all callers

}  // namespace direct
