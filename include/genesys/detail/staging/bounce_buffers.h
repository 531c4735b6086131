// SPDX-License-Identifier: Apache-2.0
// Bounce buffers: pinned memory through which staged arguments pass. Lanes acquire and release them without the host. A
// runtime has one pool of them, in size classes; each class has a bitmap in device memory. Called by the leader of a
// call (staging_plan.h); the host only lays the pool out (src/memory/layout.cpp).
//
// The host releases the buffer of a posted call, but cannot write the bitmap. It flips the buffer's bit in pinned
// memory, `returned`. A lane that finds a word of the bitmap full compares these bits with those seen last
// (collect_returned). A buffer is flipped once between two acquisitions, and acquired again only after the flip was
// seen. So no flip is missed or counted twice.
//
// A pool begins small. The bits of all further buffers are set, and their memory does not exist yet. A lane that finds
// none free asks the host to make more of them usable (grow). The host returns them, as if calls had held them, and
// then tells how many there are.
#pragma once

#include "genesys/detail/queue/completion_slots.h"
#include "genesys/detail/queue/submit_async.h"
#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/bounce_buffers.h"
#include "genesys/kernel.h"

namespace genesys::detail::staging {

// Calls see(size, class) for each class, until `see` returns true.
template <class See>
GENESYS_KERNEL void each_bounce_class(const device_context& a, See see) {
  bounce_class c = first_bounce_class(a);
#if GENESYS_ON_CUDA
#pragma unroll  // so that the sizes are constants
#endif
  for (u32 i = 0; i < bounce_classes; ++i) {
    if (i != 0) c = next_bounce_class(a, c, i);
    if (see(i, c)) return;
  }
}

// How long a call keeps a buffer. The classes of time use different buffers of each four, so that a call never waits
// for a buffer whose release depends on the call itself:
//   brief    released when this blocking call completes: any buffer.
//   lasting  released only after an event elsewhere (a posted call, or a call that waits for its descriptor with the
//            buffer): not the first. So a brief call always finds a buffer in time.
//   ticket   released only when the lane waits for the ticket: one of the last two. So a posted call, which waits for a
//            buffer, always finds one that the host releases.
//   waiting  as brief, but the call may wait for its descriptor with the buffer: the last, only of the class that fits.
//            So tickets and lasting calls, which may end the waiting, find others.
enum class hold_time : u32 { brief = 0, lasting = 1, ticket = 2, waiting = 3 };  // the first of each four

// The bits in each word of the bitmap that such a call does not take.
GENESYS_KERNEL constexpr u64 excluded_bits(hold_time how) {
  constexpr u64 first_of_four = 0x1111'1111'1111'1111;
  return first_of_four * ((1u << static_cast<u32>(how)) - 1);
}

// Acquires a free buffer whose bit is in the word `taken`, beginning with `bit`. Returns its bit, or 0. Bits in
// `excluded` are never taken.
GENESYS_KERNEL u64 take_bit(const global_atomic<u64>& taken, u64 bit, u64 excluded) {
  while (bit != 0) {
    const u64 seen = taken.fetch_or(bit, queue::handoff_acquire) | excluded;  // pairs with release_buffer
    if ((seen & bit) == 0) return bit;
    bit = ~seen & (seen + 1);  // the lowest clear bit
  }
  return 0;
}

GENESYS_KERNEL u64 buffer_address(const bounce_class& c, u32 word, u64 bit) {
  GENESYS_ASSERT(word * 64 + lowest_bit(bit) < c.buffers, "a bounce buffer that is acquired is one of its class");
  return c.base + (u64{word * 64 + lowest_bit(bit)} << c.bytes_log2);
}

// Clears the bits of a word for the buffers that the host has returned. Returns whether there were any. One lane at a
// time does so; `locked` becomes false if another lane does.
GENESYS_KERNEL bool collect_returned(const device_context& a, u32 size, u32 word, u32 words_of_all, bool& locked) {
  const global_atomic<u32> lock(a.bounce->classes[size].gathering);
  locked = lock.exchange(1, std::memory_order_acquire) == 0;  // pairs with the release below
  if (!locked) return false;
  const u64 now = global_atomic<u64, thread_scope::system>(const_cast<u64&>(a.bounce->returned[word]))
                      .load(std::memory_order_acquire);  // pairs with bounce_returns::give
  u64& gathered = taken_words(a)[words_of_all + word];
  const u64 freed = now ^ gathered;
  if (freed != 0) {
    gathered = now;
    [[maybe_unused]] const u64 before =
        global_atomic<u64>(taken_words(a)[word]).fetch_and(~freed, std::memory_order_release);  // pairs with take_bit
    GENESYS_ASSERT((before & freed) == freed, "the host returns a bounce buffer once after it is acquired");
  }
  lock.store(0, std::memory_order_release);
  return freed != 0;
}

constexpr u32 words_looked_at = 16;  // words of the bitmap to try before a class counts as full

// Acquires a free buffer among the first `usable` of a class: tries the word `start`, and then words from the cursor
// on. In a full word it first collects what the host has returned. Moving the cursor makes other lanes skip full words,
// too. Returns its address, or 0. `locked` becomes false if other lanes collect meanwhile: then there may be more.
GENESYS_KERNEL u64 take_from(const device_context& a, u32 size, const bounce_class& c, u32 words_of_all, u32 start,
                             u32 usable, hold_time how, bool& locked) {
  const u32 words = words_for(usable);
  const u64 excluded = excluded_bits(how);
  const global_atomic<u32> cursor(a.bounce->classes[size].cursor);
  u32 word = start % words, moved = 0;
  locked = true;
  for (u32 step = 0; step < words && step < words_looked_at; ++step) {
    if (step == 1) moved = cursor.fetch_add(1, std::memory_order_relaxed);
    if (step >= 1) word = (start % words + 1 + (moved + step - 1) % (words - 1)) % words;  // each other word once
    const global_atomic<u64> taken(taken_words(a)[c.first_word + word]);
    for (u32 asked = 0; asked < 2; ++asked) {
      const u64 seen = taken.load(std::memory_order_relaxed) | excluded;
      if (const u64 bit = take_bit(taken, ~seen & (seen + 1), excluded)) return buffer_address(c, word, bit);
      if (asked != 0 || !locked || !collect_returned(a, size, c.first_word + word, words_of_all, locked)) break;
    }
  }
  return 0;
}

enum class growth { none, more, under_way };

// Looks at what the host says about the growth of a class, over the link. One lane at a time does so: looks of a
// hundred thousand lanes that wait for buffers would leave the link no time for requests.
GENESYS_KERNEL bounce_growth_word look_at_growth(const device_context& a, u32 size, u32 buffers, u32 words_of_all) {
  auto& of_class = a.bounce->classes[size];
  const global_atomic<u64> seen(of_class.growth);
  const global_atomic<u32> looking(of_class.looking);
  if (looking.load(order::relaxed) == 0 && looking.exchange(1, order::acquire) == 0) {
    const u64 now = global_atomic<u64, thread_scope::system>(const_cast<u64&>(a.bounce->returned[words_of_all + size]))
                        .load(order::relaxed);  // what the buffers need comes with collect_returned
    const u32 usable = growth_of(now).usable;   // 0: the host has made none more usable yet
    if (usable <= buffers && usable >= growth_of(seen.load(order::relaxed)).usable) seen.store(now, order::relaxed);
    looking.store(0, order::release);
  }
  return growth_of(seen.load(order::relaxed));
}

// After the host found no memory: whether this lane asks again. One does so in a while.
GENESYS_KERNEL bool may_retry(u64& retry_ns) {
  constexpr u64 retry_after_ns = 100'000'000;
  u64 from = global_atomic<u64>(retry_ns).load(order::relaxed);
  const u64 now = clock_ns();
  return now >= from && global_atomic<u64>(retry_ns).compare_exchange(from, now + retry_after_ns, order::relaxed);
}

// A lane has found no free buffer among the first `searched` of a class. Asks the host for more, unless another lane
// has asked, or the host has no memory. No lane waits here: buffers that come back meanwhile do as well. The host may
// also have to wait, for a program that waits for this kernel in cudaFree. Called by one lane for itself.
GENESYS_KERNEL_OUTLINE inline growth grow(device_context a, u32 size, u32 buffers, u32 words_of_all, u32 searched) {
  if (searched >= buffers) return growth::none;
  auto& of_class = a.bounce->classes[size];
  const global_atomic<u32> asked(of_class.asked), late(of_class.late);
  u32 asked_before = asked.load(order::relaxed);
  const auto is_under_way = [&](bounce_growth_word w) {
    return static_cast<std::int32_t>(asked_before - w.finished) > 0;
  };
  bounce_growth_word known = growth_of(global_atomic<u64>(of_class.growth).load(order::relaxed));
  if (known.usable <= searched && is_under_way(known)) known = look_at_growth(a, size, buffers, words_of_all);
  if (known.usable > searched) return growth::more;
  if (is_under_way(known)) return late.load(order::relaxed) == asked_before ? growth::none : growth::under_way;
  if (known.refused && !may_retry(of_class.retry_ns)) return growth::none;
  if (!asked.compare_exchange(asked_before, asked_before + 1, order::relaxed)) return growth::under_way;
  request r{};
  r.args[0] = size;
  r.number = internal_grow;
  r.mode = wait_mode::posted;
  return queue::submit_request(a, r) ? growth::under_way : growth::none;
}

GENESYS_KERNEL_OUTLINE inline u64 search_bounce(const device_context* copy, u64 bytes, hold_time how, bool may_wait,
                                                u32 start) {
  constexpr u32 rounds_max = 8;
  constexpr u32 rounds_of_hasty = 3;            // of a call that must not wait
  constexpr u64 growth_max_ns = 1'000'000'000;  // then such a call gives up, and those after it at once
  const device_context& a = *copy;
  u32 words_of_all = 0;
  for (u32 i = 0; i < bounce_classes; ++i) words_of_all += words_for(a.bounce_buffers[i]);
  backoff waiting;
  u64 growing_since = 0;
  for (u32 rounds = 1;; start += words_looked_at, ++rounds) {
    u64 buffer = 0;
    bool is_growing = false, is_locked = false;
    const bool is_late = growing_since != 0 && clock_ns() - growing_since >= growth_max_ns;
    each_bounce_class(a, [&](u32 size, const bounce_class& c) {
      if (bytes > u64{1} << c.bytes_log2 || c.buffers == 0) return false;
      const u32 usable = growth_of(global_atomic<u64>(a.bounce->classes[size].growth).load(order::relaxed)).usable;
      const u32 whole = (words_for(usable) + words_looked_at - 1) / words_looked_at;
      bool locked = true;
      buffer = take_from(a, size, c, words_of_all, start, usable, how, locked);
      if (buffer != 0 || how == hold_time::waiting) return true;
      is_locked |= !locked;
      const u32 enough = whole < rounds_max ? whole : rounds_max;
      const bool searched = (locked && rounds >= enough) || (!may_wait && rounds >= rounds_of_hasty);
      if (searched && !is_growing) {
        const growth got = grow(a, size, c.buffers, words_of_all, usable);
        is_growing = got != growth::none;
        if (got == growth::more) start = usable / 64 - words_looked_at;  // where they begin, in the next round
        if (got == growth::under_way && is_late) {
          auto& of_class = a.bounce->classes[size];
          global_atomic<u32>(of_class.late)
              .store(global_atomic<u32>(of_class.asked).load(order::relaxed), order::relaxed);
        }
      }
      return false;
    });
    if (buffer != 0) return buffer;
    if (how == hold_time::waiting && !may_wait) return 0;
    if (is_growing && growing_since == 0) growing_since = clock_ns();
    const bool has_looked = rounds >= (is_locked ? rounds_max : rounds_of_hasty);
    if (!may_wait && (is_late || (!is_growing && has_looked))) return 0;
    if (!waiting.wait(a)) return 0;
  }
}

// What a lane does if it finds no free buffer:
//   one_look    it has looked at one word of the bitmap, and goes without;
//   for_growth  it looks at more words, and waits only while more buffers become usable;
//   until_free  it waits for a buffer.
enum class bounce_wait : u32 { one_look, for_growth, until_free };

// Acquires a buffer of at least `bytes`, at most bounce_bytes_max. Returns its address, or 0: none is free, or the
// runtime has ended. Called by one lane for itself.
//
// Each look at device memory takes a third of a microsecond, so the first one already tries to acquire a buffer. A call
// of time `brief` or `waiting` first retries the buffer of the same warp and lane, which is warm in the CPU's cache;
// other calls try a random one nearby.
GENESYS_KERNEL u64 acquire_buffer(const device_context& a, u64 bytes, hold_time how, bounce_wait how_long) {
  bounce_class fits;
  u32 buffers = 0;  // the first guess is among those that are always usable
  each_bounce_class(a, [&](u32 size, const bounce_class& c) {
    fits = c;
    buffers = buffers_at_start(size, c.buffers);
    return bytes <= u64{1} << c.bytes_log2 && buffers != 0;
  });
  u32 guess = static_cast<u32>(u64{lane_hint() * 0x9e3779b1u} * buffers >> 32);
  const u32 word = guess / 64;
  if (how == hold_time::lasting || how == hold_time::ticket) guess ^= any_number() % 64;
  if (guess >= buffers) guess = word * 64;
  guess |= static_cast<u32>(how);
  const global_atomic<u64> taken(taken_words(a)[fits.first_word + word]);
  if (const u64 bit = take_bit(taken, u64{1} << guess % 64, excluded_bits(how))) return buffer_address(fits, word, bit);
  if (how_long == bounce_wait::one_look) return 0;
  return search_bounce(a.copy, bytes, how, how_long == bounce_wait::until_free, word);
}

// The bit of a buffer in the bitmap. A lane looks it up before it releases the buffer, to keep the search off that
// path.
struct buffer_bit {
  u64* word;
  u64 bit;
};
GENESYS_KERNEL buffer_bit bit_of_buffer(const device_context& a, u64 buffer) {
  buffer_bit found{};
  each_bounce_class(a, [&](u32, const bounce_class& c) {
    const u64 index = (buffer - c.base) >> c.bytes_log2;
    if (buffer < c.base || index >= c.buffers) return false;
    found = {taken_words(a) + c.first_word + index / 64, u64{1} << (index % 64)};
    return true;
  });
  return found;
}

// Releases a buffer. Lanes that loaded something from it have stored what they loaded, and have met this lane since. So
// no load of it is in flight, and on a GPU a relaxed release is enough.
GENESYS_KERNEL void release_buffer(const buffer_bit& at) {
  [[maybe_unused]] const u64 before =
      global_atomic<u64>(*at.word).fetch_and(~at.bit, queue::handoff_release);  // pairs with take_bit
  GENESYS_ASSERT((before & at.bit) != 0, "a bounce buffer is released once after it is acquired");
}

}  // namespace genesys::detail::staging
