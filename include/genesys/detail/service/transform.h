// SPDX-License-Identifier: Apache-2.0
// A loop for services that read much memory and write as much: it keeps the link to pinned memory busy. All threads of
// the request's blocks call it.
#pragma once

#include <cstdint>

#include "genesys/detail/service/serve.h"

namespace genesys {

struct alignas(16) sixteen_bytes {
  std::uint64_t first, second;
};

// Calls change(word) for words of 16 bytes and stores what it returns. Each thread has several loads under way, because
// a load over the link takes longer than a microsecond.
template <class F>
GENESYS_KERNEL void transform_words(const service_block& here, const sixteen_bytes* from, sixteen_bytes* to,
                                    std::uint64_t words, const F& change) {
  constexpr unsigned loads = 4;
  const std::uint64_t step = here.threads();
  std::uint64_t at = here.thread();
  for (; at + (loads - 1) * step < words; at += loads * step) {
    sixteen_bytes loaded[loads];
#if GENESYS_ON_CUDA
#pragma unroll
#endif
    for (unsigned i = 0; i < loads; ++i) loaded[i] = from[at + i * step];
#if GENESYS_ON_CUDA
#pragma unroll
#endif
    for (unsigned i = 0; i < loads; ++i) to[at + i * step] = change(loaded[i]);
  }
  for (; at < words; at += step) to[at] = change(from[at]);
}

}  // namespace genesys
