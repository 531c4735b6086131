// SPDX-License-Identifier: Apache-2.0
// The layout of bounce buffers: size classes of pinned buffers, a bitmap in device memory for each class, and the bits
// with which the host returns buffers of posted calls. staging/bounce_buffers.h acquires and releases them;
// src/memory/layout.cpp lays them out.
#pragma once

#include "genesys/detail/wire/device_context.h"

namespace genesys::detail::wire {

// The classes: paths and structures; directory entries and small reads; pieces of split calls; the largest whole calls.
// They follow each other from device_context::arena_begin on, device_context::bounce_buffers of each.
GENESYS_KERNEL constexpr u32 buffer_bytes_log2(u32 size) {
  return size == 0 ? 8 : size == 1 ? 13 : size == 2 ? 17 : 21;
}
// Buffers of one class are for calls that hold them for different times (staging/bounce_buffers.h): every fourth for
// each. So each class has a multiple of four.
constexpr u32 buffers_multiple = 4;

// How many of a class's buffers are usable when the runtime begins. The others become usable on demand.
GENESYS_KERNEL constexpr u32 buffers_at_start(u32 size, u32 buffers) {
  const u32 first = size == 0 ? 8192 : size == 1 ? 512 : size == 2 ? 16 : 4;
  return buffers < first ? buffers : first;
}

constexpr u64 bounce_bytes_max = u64{1} << buffer_bytes_log2(bounce_classes - 1);  // of a call that is not split

// {requests to grow that the host has finished : 32 | the last one found no memory : 1 | buffers that are usable; the
// words of others are not searched : 31}
struct bounce_growth_word {
  u32 usable, finished;
  bool refused;
};
GENESYS_KERNEL constexpr u64 as_word(bounce_growth_word w) {
  return u64{w.finished} << 32 | (w.refused ? 1u << 31 : 0u) | w.usable;
}
GENESYS_KERNEL constexpr bounce_growth_word growth_of(u64 word) {
  return {static_cast<u32>(word) & ~(1u << 31), static_cast<u32>(word >> 32), (word >> 31 & 1) != 0};
}

struct bounce_pool {
  // In pinned memory, the host writes it: one bit for each buffer, which it flips; and then for each class a
  // bounce_growth_word.
  const u64* returned;
  struct {
    u64 growth;     // the bounce_growth_word as a lane last saw it
    u64 retry_ns;   // after the host found no memory: when a lane may ask again, on the device's clock
    u32 looking;    // 1 while a lane looks at the host's bounce_growth_word
    u32 gathering;  // 1 while a lane compares `returned` with `gathered`
    u32 cursor;     // the word where lanes begin to search, so that they skip full words
    u32 asked;      // how often lanes have asked the host for more
    u32 late;       // `asked`, when the host took so long that tickets are refused meanwhile
  } classes[bounce_classes];
  // After the pool: u64 taken[words], one bit for each buffer; and u64 gathered[words], `returned` as a lane last saw
  // it. Each class begins with its own word.
};

struct bounce_class {
  u64 base = 0;        // address of buffer 0, for both sides
  u32 buffers = 0;     // at most
  u32 bytes_log2 = 0;  // of one buffer
  u32 first_word = 0;
};

GENESYS_KERNEL constexpr u32 words_for(u32 buffers) { return (buffers + 63) / 64; }

// The first class, and the class after a class.
GENESYS_KERNEL bounce_class first_bounce_class(const device_context& a) {
  return {a.arena_begin, a.bounce_buffers[0], buffer_bytes_log2(0), 0};
}
GENESYS_KERNEL bounce_class next_bounce_class(const device_context& a, const bounce_class& c, u32 size) {
  return {c.base + (u64{c.buffers} << c.bytes_log2), a.bounce_buffers[size], buffer_bytes_log2(size),
          c.first_word + words_for(c.buffers)};
}

GENESYS_KERNEL u64* taken_words(const device_context& a) { return reinterpret_cast<u64*>(a.bounce + 1); }

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
