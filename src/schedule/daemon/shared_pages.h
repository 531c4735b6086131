// SPDX-License-Identifier: Apache-2.0
// The memory that the scheduling daemon shares with its members, the processes that have joined. The daemon makes all
// of it; each page is a memfd with seals, so no process can change its size or map it writable later.
//
//   board   the daemon writes, each member reads: who is a member, and with which nice value
//   line    one for each member, which alone writes it; the daemon and the other members read
//
// A member decides by itself whether it must hold: it reads the lines of the more important members. So the word that
// a process writes when it becomes busy is the word that the others poll, and the daemon is not on that path.
//
//   H1 begin: running, fence, look at the more important   H2 hold: abort, then acknowledge: waiting
//   H3 sleep: sleeps = 1, fence, look again, futex         H4 each change of a state: fence, wake if a member sleeps
//   H5 look at the less important: none is running, or the time is over
//   H6 the daemon changes the board: a member joined, left, stalled or aged
#pragma once

#include <atomic>
#include <cstdint>

namespace genesys::schedule::processes {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u32 members_max = 128;
inline constexpr u32 page_bytes = 4096;
inline constexpr u32 shared_format = 0x67736432;  // changes with the layout of pages and messages
inline constexpr u32 line_bytes = 128;            // two cache lines, which the CPU may fetch together

// What a member does. Linux's name for a process in the last two would be runnable.
enum member_state : u32 {
  state_idle = 0,     // it has no work for the GPU
  state_waiting = 1,  // it has work, and nothing in the GPU: it is held, or it is about to begin
  state_running = 2,  // it has work, and it may have launches in the GPU
};

struct member_line {
  alignas(line_bytes) std::atomic<u32> state;  // member_state; a futex
  std::atomic<u32> sleeps;                     // 1: the member sleeps in a futex, or is about to
  alignas(line_bytes) std::atomic<u32> heartbeat;
  std::atomic<u32> run_us;  // how long it needs the GPU to make progress: the run of its longest kernel. 0: not known
  std::atomic<u32> holds;   // how often it was held, for people to read
};

// What the board says of a member.
struct board_slot {
  u32 generation = 0;                // of the slot: each member that gets it has a new one
  int nice = 0, effective_nice = 0;  // granted; with aging
  u32 device = 0;  // below members_max: which GPU. Members of different GPUs do not concern each other
  bool present = false;
  bool stalled = false;  // its heartbeat has stopped: it holds nobody
};

struct board_page {
  alignas(line_bytes) std::atomic<u32> version;  // changes after each change of a slot; a futex
  std::atomic<u32> format;
  alignas(line_bytes) std::atomic<u32> ticks;               // grows while a member is held
  std::atomic<u64> reports_until_ns;                        // until then members report their kernels (kernel_report.h)
  alignas(line_bytes) std::atomic<u64> slots[members_max];  // packed
};

static_assert(std::atomic<u32>::is_always_lock_free && std::atomic<u64>::is_always_lock_free);
static_assert(sizeof(member_line) == 2 * line_bytes && sizeof(member_line) <= page_bytes);
static_assert(sizeof(board_page) <= page_bytes && sizeof(std::atomic<u32>) == 4);

constexpr u64 packed(const board_slot& slot) {
  return u64{slot.generation} << 32 | u64{slot.device & 0xff} << 24 | u64{static_cast<std::uint8_t>(slot.nice)} << 16 |
         u64{static_cast<std::uint8_t>(slot.effective_nice)} << 8 | u64{slot.stalled} << 1 | u64{slot.present};
}

constexpr board_slot unpacked(u64 word) {
  board_slot slot;
  slot.generation = static_cast<u32>(word >> 32);
  slot.nice = static_cast<std::int8_t>(word >> 16 & 0xff);
  slot.effective_nice = static_cast<std::int8_t>(word >> 8 & 0xff);
  slot.device = static_cast<u32>(word >> 24 & 0xff);
  slot.present = (word & 1) != 0;
  slot.stalled = (word & 2) != 0;
  return slot;
}

}  // namespace genesys::schedule::processes
