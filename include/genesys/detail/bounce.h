// SPDX-License-Identifier: Apache-2.0
// Bounce buffers: pinned memory through which staged arguments pass, handed out by the device itself. One pool for a
// runtime, in size classes; a bitmap in device memory a class. Called by the lane that makes a call (placing.h); the
// host only lays the pool out (src/memory/layout.cpp).
//
// The buffer of a posted call is given back by the host, which cannot write the bitmap: it flips a bit in pinned
// memory, and a lane that finds a word full compares its bits with what was seen last (gather_returned). A buffer is
// given back once between two takings, and taken only after its flip was seen, so no flip is missed or counted twice.
#pragma once

#include "genesys/detail/lanes.h"
#include "genesys/detail/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail {

constexpr u32 bounce_classes = 4;

struct bounce_class {
  u64 base;             // address of chunk 0, for both sides
  u64* taken;           // one bit a chunk, in device memory
  const u64* returned;  // one bit a chunk, in pinned memory: flipped by the host
  u64* gathered;        // `returned` as it was last seen, in device memory
  u32 bytes_log2;       // of one chunk
  u32 chunks;
  u32 gathering;  // held by the lane that compares
  u32 cursor;     // where to look first, so that words that are full are not looked at again and again
};

struct bounce_pool {
  bounce_class classes[bounce_classes];  // small to large
};

// For how long a buffer is taken. Those who keep one until something happens elsewhere (a ticket, a posted call) get
// three of four chunks at most, so that who gives it back without help from others always finds one in time.
enum class hold { brief, lasting };

// Bytes of the largest chunk: what a call that may not be split can carry.
GENESYS_KERNEL u64 bounce_bytes_max(const area& a) {
  return u64{1} << a.bounce->classes[bounce_classes - 1].bytes_log2;
}

constexpr u32 words_looked_at = 16;  // before a class counts as full

GENESYS_KERNEL u32 chunks_for(const bounce_class& c, hold how) {
  return how == hold::brief ? c.chunks : c.chunks - (c.chunks + 3) / 4;
}

GENESYS_KERNEL u32 cursor_of(bounce_class& shared) {
  return atomic<u32>(shared.cursor).load(std::memory_order_relaxed);
}

// Frees what the host has given back in one word. Whether there was any. One lane at a time: it is another's turn where
// `my_turn` becomes false.
GENESYS_KERNEL bool gather_returned(bounce_class& shared, const bounce_class& c, u32 word, bool& my_turn) {
  const atomic<u32> lock(shared.gathering);
  my_turn = lock.exchange(1, std::memory_order_acquire) == 0;  // pairs with the release below
  if (!my_turn) return false;
  const u64 now = atomic<u64, reach::system>(const_cast<u64&>(c.returned[word]))
                      .load(std::memory_order_acquire);  // pairs with bounce_returns::give
  const u64 freed = now ^ c.gathered[word];
  if (freed != 0) {
    c.gathered[word] = now;
    atomic<u64>(c.taken[word]).fetch_and(~freed, std::memory_order_release);  // pairs with take_from
  }
  lock.store(0, std::memory_order_release);
  return freed != 0;
}

// Takes one free chunk of a class, looking at some words from its cursor on; `c` is a copy of it. A word that is full
// is asked for what the host has given back, and then passed over, from now on by the others, too. 0: none there.
GENESYS_KERNEL u64 take_from(bounce_class& shared, const bounce_class& c, u32 start, hold how) {
  const u32 chunks = chunks_for(c, how);
  const u32 words = (chunks + 63) / 64;
  bool my_turn = true;
  for (u32 step = 0; step < words && step < words_looked_at; ++step) {
    const u32 word = (start + c.cursor + step) % words;
    const u64 not_ours = word == chunks / 64 ? ~u64{0} << chunks % 64 : 0;
    const atomic<u64> taken(c.taken[word]);
    u64 seen = taken.load(std::memory_order_relaxed) | not_ours;
    for (u32 asked = 0; asked < 2; ++asked) {
      while (~seen != 0) {
        const u64 bit = ~seen & (seen + 1);                                // the lowest clear one
        seen = taken.fetch_or(bit, std::memory_order_acquire) | not_ours;  // pairs with give_bounce
        if ((seen & bit) == 0) return c.base + (u64{word * 64 + lowest_bit(bit)} << c.bytes_log2);
        seen |= bit;
      }
      if (asked != 0 || !my_turn || !gather_returned(shared, c, word, my_turn)) break;
      seen = taken.load(std::memory_order_relaxed) | not_ours;
    }
    if (step == 0) atomic<u32>(shared.cursor).fetch_add(1, std::memory_order_relaxed);
  }
  return 0;
}

// Takes a chunk of at least `bytes`. If there is none, waits for one if it `may_wait`. 0: there was none, or the
// runtime has ended. `bytes` is at most bounce_bytes_max. Called by one lane for itself.
GENESYS_KERNEL_OUTLINE inline u64 take_bounce(const area& a, u64 bytes, hold how, bool may_wait) {
  patience waiting;
  for (u32 start = place_hint() * 7, times = 0;; start += words_looked_at, ++times) {
    for (u32 i = 0; i < bounce_classes; ++i) {
      bounce_class& shared = a.bounce->classes[i];
      // All of it at once: each look at device memory takes half a microsecond.
      const bounce_class c{
          shared.base, shared.taken,     shared.returned, shared.gathered, shared.bytes_log2, shared.chunks,
          0,           cursor_of(shared)};
      if (bytes > u64{1} << c.bytes_log2 || chunks_for(c, how) == 0) continue;
      if (const u64 chunk = take_from(shared, c, start, how)) return chunk;
    }
    if (!may_wait && times == 2) return 0;
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
