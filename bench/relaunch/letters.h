// SPDX-License-Identifier: Apache-2.0
// What the host and the kernels of a chain of calls exchange: results, the requests of the old way, and the threads'
// sums.
#pragma once

#include <cstddef>

namespace relaunch {

using word = unsigned long long;

constexpr unsigned words_max = 512, threads_most = 128;
constexpr std::size_t sums_bytes = (threads_most + 1) * sizeof(word);

// What the host and the kernels of the old way exchange, in pinned memory.
struct letters {
  // Stored by the kernel in one word, so that the host needs no other word with it: {steps so far : 24 | what the
  // kernel wants : 40}, here the first word of the last result.
  alignas(64) word request;
  alignas(64) word answer[words_max];
};
constexpr unsigned wanted_bits = 40;
constexpr word wanted(word request) { return request & ((word{1} << wanted_bits) - 1); }

}  // namespace relaunch
