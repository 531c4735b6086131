// SPDX-License-Identifier: Apache-2.0
// Bounce buffers: pinned memory through which staged arguments pass, handed out by the device itself. One pool for a
// runtime, in size classes; a bitmap in device memory a class. Called by the lane that makes a call (placing.h); the
// host only lays the pool out (src/memory/layout.cpp) and never looks at it again.
#pragma once

#include "genesys/detail/lanes.h"
#include "genesys/detail/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail {

constexpr u32 bounce_classes = 4;

struct bounce_class {
  u64 base;        // address of chunk 0, for both sides
  u64* taken;      // one bit a chunk, in device memory
  u32 bytes_log2;  // of one chunk
  u32 chunks;
};

struct bounce_pool {
  bounce_class classes[bounce_classes];  // small to large
};

// Bytes of the largest chunk: what a call that may not be split can carry.
GENESYS_KERNEL u64 bounce_bytes_max(const area& a) {
  return u64{1} << a.bounce->classes[bounce_classes - 1].bytes_log2;
}

constexpr u32 words_looked_at = 16;  // before a class counts as full

// Takes one free chunk of a class, looking at some words from `start` on. 0: none there.
GENESYS_KERNEL u64 take_from(const bounce_class& c, u32 start) {
  const u32 words = (c.chunks + 63) / 64;
  for (u32 step = 0; step < words && step < words_looked_at; ++step) {
    const u32 word = (start + step) % words;
    const atomic<u64> taken(c.taken[word]);
    u64 seen = taken.load(std::memory_order_relaxed);
    while (~seen != 0) {
      const u64 bit = ~seen & (seen + 1);                     // the lowest clear one
      seen = taken.fetch_or(bit, std::memory_order_acquire);  // pairs with give_bounce
      if ((seen & bit) == 0) return c.base + (u64{word * 64 + lowest_bit(bit)} << c.bytes_log2);
      seen |= bit;
    }
  }
  return 0;
}

// Takes a chunk of at least `bytes`, waiting for one if need be; all who hold one finish without help from the caller.
// 0: the runtime has ended. `bytes` is at most bounce_bytes_max. Called by one lane for itself.
GENESYS_KERNEL_OUTLINE inline u64 take_bounce(const area& a, u64 bytes) {
  patience waiting;
  for (u32 start = place_hint() * 7;; start += words_looked_at) {
    for (u32 i = 0; i < bounce_classes; ++i) {
      const bounce_class& c = a.bounce->classes[i];
      if (bytes > u64{1} << c.bytes_log2) continue;
      if (const u64 chunk = take_from(c, start)) return chunk;
    }
    if (!waiting.wait(a)) return 0;
  }
}

GENESYS_KERNEL_OUTLINE inline void give_bounce(const area& a, u64 chunk) {
  for (u32 i = 0; i < bounce_classes; ++i) {
    const bounce_class& c = a.bounce->classes[i];
    const u64 index = (chunk - c.base) >> c.bytes_log2;
    if (chunk < c.base || index >= c.chunks) continue;
    atomic<u64>(c.taken[index / 64])
        .fetch_and(~(u64{1} << (index % 64)), std::memory_order_release);  // pairs with take_from
    return;
  }
}

}  // namespace genesys::detail
