// SPDX-License-Identifier: Apache-2.0
// The service that copies, which every server has: a stream moves its pieces by it if the SMs shall do so. All threads
// of its blocks run it.
#pragma once

#include "genesys/detail/service/transform.h"

namespace genesys::detail::services {

struct copy_data {
  struct arguments {
    const void* from;
    void* to;
    u64 bytes;
    u64 more_bytes;  // behind these bytes of `from`: they are loaded only, for a measurement
  };
  // A function of its own, so that the kernels of programs without streams stay small.
  GENESYS_KERNEL_OUTLINE long operator()(const service_block& here, const arguments& with) const {
    const u64 addresses = reinterpret_cast<u64>(with.from) | reinterpret_cast<u64>(with.to);
    const u64 words = addresses % sizeof(sixteen_bytes) == 0 ? with.bytes / sizeof(sixteen_bytes) : 0;
    transform_words(here, static_cast<const sixteen_bytes*>(with.from), static_cast<sixteen_bytes*>(with.to), words,
                    [](const sixteen_bytes& word) { return word; });
    const auto* const from = static_cast<const unsigned char*>(with.from);
    auto* const to = static_cast<unsigned char*>(with.to);
    for (u64 i = words * sizeof(sixteen_bytes) + here.thread(); i < with.bytes; i += here.threads()) to[i] = from[i];
    return load(here, static_cast<const sixteen_bytes*>(with.from) + words, with.more_bytes / sizeof(sixteen_bytes));
  }

 private:
  // Not negative. The result depends on the words, so the compiler cannot leave the loads out.
  GENESYS_KERNEL static long load(const service_block& here, const sixteen_bytes* from, u64 words) {
    u64 any = 0;
    for (u64 i = here.thread(); i < words; i += here.threads()) any |= from[i].first | from[i].second;
    return static_cast<long>(any >> 63);
  }
};

}  // namespace genesys::detail::services
