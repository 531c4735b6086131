// SPDX-License-Identifier: Apache-2.0
// The service that copies, which every server has: a stream moves its pieces by it if the SMs shall do so. All threads
// of its blocks run it.
#pragma once

#include "genesys/detail/service/serve.h"

namespace genesys::detail::services {

struct alignas(16) two_words {
  u64 first, second;
};

// Calls change(word) for words of 16 bytes and stores what it returns. Each thread has several loads under way, because
// a load over the link takes longer than a microsecond.
template <class F>
GENESYS_KERNEL void transform_words(const service_block& here, const two_words* from, two_words* to, u64 words,
                                    const F& change) {
  constexpr u32 loads = 4;
  const u64 step = here.threads();
  u64 at = here.thread();
  for (; at + (loads - 1) * step < words; at += loads * step) {
    two_words loaded[loads];
#if GENESYS_ON_CUDA
#pragma unroll
#endif
    for (u32 i = 0; i < loads; ++i) loaded[i] = from[at + i * step];
#if GENESYS_ON_CUDA
#pragma unroll
#endif
    for (u32 i = 0; i < loads; ++i) to[at + i * step] = change(loaded[i]);
  }
  for (; at < words; at += step) to[at] = change(from[at]);
}

struct copy_data {
  struct arguments {
    const void* from;
    void* to;
    u64 bytes;
    u64 more_bytes;  // behind these bytes of `from`: they are loaded only, for a measurement
  };
  GENESYS_KERNEL long operator()(const service_block& here, const arguments& with) const {
    const u64 addresses = reinterpret_cast<u64>(with.from) | reinterpret_cast<u64>(with.to);
    const u64 words = addresses % sizeof(two_words) == 0 ? with.bytes / sizeof(two_words) : 0;
    transform_words(here, static_cast<const two_words*>(with.from), static_cast<two_words*>(with.to), words,
                    [](const two_words& word) { return word; });
    const auto* const from = static_cast<const unsigned char*>(with.from);
    auto* const to = static_cast<unsigned char*>(with.to);
    for (u64 i = words * sizeof(two_words) + here.thread(); i < with.bytes; i += here.threads()) to[i] = from[i];
    return load(here, static_cast<const two_words*>(with.from) + words, with.more_bytes / sizeof(two_words));
  }

 private:
  // Not negative. The result depends on the words, so the compiler cannot leave the loads out.
  GENESYS_KERNEL static long load(const service_block& here, const two_words* from, u64 words) {
    u64 any = 0;
    for (u64 i = here.thread(); i < words; i += here.threads()) any |= from[i].first | from[i].second;
    return static_cast<long>(any >> 63);
  }
};

}  // namespace genesys::detail::services
