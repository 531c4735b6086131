// SPDX-License-Identifier: Apache-2.0
// The ring: the memory through which a client passes requests to the daemon, and gets their completions. Each client
// has one, in a memfd that the daemon makes; the buffers of its requests lie in another one. Used by both sides.
//
// A client is not trusted. The daemon reads each word of a request once, checks the copy, and uses only that.
//
// A request. (C: a thread of the client, D: the daemon's serving thread.)
//   C1 Take a free slot, count its uses.   C2 Write the request.   C3 Set the slot's bit in `ready`.
//   C4 If `daemon_sleeps` is set: clear it; the thread that has cleared it sends a packet over the socket.
//   D1 Take all bits of a word of `ready`.   D2 Copy the request, check it, submit it to the server.
//   D3 Store the completion, with the use that the request has.   D4 If `sleeps` is set: change `wakes`, wake.
//   C5 Look at the completion.   C6 Release the slot.
//   C7 A thread sleeps: read `wakes`, set `sleeps`, look again, futex(2) on `wakes`.
//   D5 The daemon sleeps: set `daemon_sleeps`, look at `ready` again, epoll_wait(2) on the socket.
//
// No wake-up is lost. The operations on `ready`, `daemon_sleeps`, `word` and `sleeps` have one order (seq_cst).
//   C3 comes before the look of D5, or after it. Before: the daemon finds the request. After: C4 finds `daemon_sleeps`,
//   since it was set before the look; or another thread has cleared it and sends the packet. The packet stays in the
//   socket until the daemon reads it, so it need not sleep yet. A socket that takes no further packet has unread ones.
//   D3 comes before the look of C7, or after it. Before: the thread finds the completion. After: D4 finds `sleeps`, and
//   changes `wakes`, which C7 has read before. So futex(2) returns, whether it has begun to sleep or not.
//   The daemon dies: the socket hangs up. The client's watching thread then does the part of D4 for all slots.
//
// No request is torn, since C3 releases what C2 has written and D1 acquires it. A client that writes its request after
// C3 gets any mixture of the two, which D2 checks like every request.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace genesys::detail::serving {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 ring_format = 0x67737232;  // changes with every layout here and in directory.h and hello.h

constexpr u32 ring_slots_max = 1024;  // a multiple of 64
constexpr u32 ring_argument_words = 24;
constexpr u32 ring_argument_bytes_max = 8 * ring_argument_words;

struct alignas(64) ring_word {
  std::atomic<u64> bits;
};

struct ring_head {
  alignas(64) std::atomic<u32> daemon_sleeps;
  ring_word ready[ring_slots_max / 64];
};
static_assert(std::atomic<u64>::is_always_lock_free && std::atomic<u32>::is_always_lock_free);

// What the client writes. A buffer among the arguments is {offset in the client's memory, bytes}.
struct ring_request {
  u32 service;  // its number, which the directory says
  u32 argument_bytes;
  u32 blocks;
  u32 use;  // of the slot: 16 bits
  u64 published_ns;
  u64 arguments[ring_argument_words];
};
static_assert(sizeof(ring_request) == 216);

struct alignas(256) ring_slot {
  u64 words[32];  // a ring_request
};
constexpr u32 ring_request_words = sizeof(ring_request) / 8;

// What the daemon writes, except `sleeps`.
struct alignas(64) ring_completion {
  std::atomic<u64> word;    // {use : 16 | result : 48}
  std::atomic<u32> sleeps;  // a thread of the client waits for `wakes` to change
  std::atomic<u32> wakes;
};
static_assert(sizeof(ring_completion) == 64);

constexpr u32 ring_result_bits = 48;

constexpr u64 ring_completion_of(u32 use, i64 result) {
  return u64{use & 0xffffu} << ring_result_bits | (static_cast<u64>(result) & ((u64{1} << ring_result_bits) - 1));
}
constexpr u32 ring_use_of(u64 word) { return static_cast<u32>(word >> ring_result_bits); }
constexpr i64 ring_result_of(u64 word) {
  return static_cast<i64>(word << (64 - ring_result_bits)) >> (64 - ring_result_bits);
}

// Where the parts of a ring lie. Behind them is the directory (directory.h), whose size is in the daemon's welcome.
struct ring_layout {
  u32 slots;
  std::size_t slots_at() const { return (sizeof(ring_head) + 255) / 256 * 256; }
  std::size_t completions_at() const { return slots_at() + slots * sizeof(ring_slot); }
  std::size_t directory_at() const { return completions_at() + slots * sizeof(ring_completion); }
};

// The parts of a mapped ring.
class ring_view {
 public:
  ring_view() = default;
  ring_view(void* at, u32 slots) : at_(static_cast<std::byte*>(at)), layout_{slots} {}
  u32 slots() const { return layout_.slots; }
  u32 words() const { return (layout_.slots + 63) / 64; }
  ring_head& head() const { return *reinterpret_cast<ring_head*>(at_); }
  ring_slot& slot(u32 i) const { return reinterpret_cast<ring_slot*>(at_ + layout_.slots_at())[i]; }
  ring_completion& completion(u32 i) const {
    return reinterpret_cast<ring_completion*>(at_ + layout_.completions_at())[i];
  }

 private:
  std::byte* at_ = nullptr;
  ring_layout layout_{0};
};

}  // namespace genesys::detail::serving
