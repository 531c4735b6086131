// SPDX-License-Identifier: Apache-2.0
// The call that a worker makes now, for reports and for the monitor. Part of a worker, which alone writes it; begin()
// and end() cost it some stores. The monitor and reports read it at any time.
#pragma once

#include <array>
#include <atomic>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// A copy for reports.
struct call_in_progress {
  request call;
  u64 seen_since_ns;  // when the monitor first saw the worker at this call; 0: it has not
};

class current_call {
 public:
  // The worker makes this call now.
  void begin(const request& call) {
    const u64 version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < 6; ++i) words_[i].store(call.args[i], std::memory_order_release);
    words_[6].store(u64{call.number} | u64{call.completion_slot} << 12 | u64{call.scope} << 32 | u64{call.run} << 40 |
                        u64{call.has_inline_data} << 56,
                    std::memory_order_release);
    words_[7].store(u64{call.block} | u64{call.warp} << 32, std::memory_order_release);
    begin_other();
    version_.store(version + 2, std::memory_order_release);  // pairs with read
  }
  // The worker makes a system call of its own, which may take long as well.
  void begin_other() { at_.store(++begun_, std::memory_order_release); }
  // The worker makes no call. (Not needed between two calls.)
  void end() { at_.store(0, std::memory_order_relaxed); }
  // How many calls the worker has begun. For the worker itself.
  u64 begun() const { return begun_; }

  // Any thread.
  bool is_any() const { return at_.load(std::memory_order_relaxed) != 0; }
  // For the monitor, which compares each look with the one before. (For the worker, to read the clock at each call
  // would take a quarter of the time that a short call takes.)
  void look(u64 now) {
    const u64 at = at_.load(std::memory_order_relaxed);
    if (at == seen_at_.load(std::memory_order_relaxed)) return;
    seen_since_ns_.store(now, std::memory_order_relaxed);
    seen_at_.store(at, std::memory_order_release);  // pairs with since_ns
  }
  // Since when looks have found the worker at this call. 0: it makes none, or one that no look has seen.
  u64 since_ns() const {
    const u64 seen = seen_at_.load(std::memory_order_acquire);  // pairs with look
    const u64 at = at_.load(std::memory_order_relaxed);
    return at != 0 && at == seen ? seen_since_ns_.load(std::memory_order_relaxed) : 0;
  }
  // False: the worker makes no call, or the call changed during the copy.
  bool read(call_in_progress& into) const {
    const u64 version = version_.load(std::memory_order_acquire);  // pairs with begin
    if (version % 2 != 0) return false;
    for (std::size_t i = 0; i < 6; ++i) into.call.args[i] = words_[i].load(std::memory_order_acquire);
    const u64 what = words_[6].load(std::memory_order_acquire), where = words_[7].load(std::memory_order_acquire);
    const u64 at = at_.load(std::memory_order_acquire);
    into.seen_since_ns = since_ns();
    into.call.number = static_cast<u32>(what) & 0xfff;
    into.call.completion_slot = static_cast<u32>(what >> 12) & 0xfffff;
    into.call.scope = static_cast<u32>(what >> 32) & 0xff;
    into.call.run = static_cast<u32>(what >> 40) & (runs_max - 1);
    into.call.has_inline_data = (what >> 56 & 1) != 0;
    into.call.block = static_cast<u32>(where);
    into.call.warp = static_cast<u32>(where >> 32);
    return at != 0 && version_.load(std::memory_order_relaxed) == version;
  }

 private:
  std::atomic<u64> version_{0};  // odd while the words change
  std::array<std::atomic<u64>, 8> words_{};
  std::atomic<u64> at_{0};  // the number of the call, counted from 1; 0: none
  u64 begun_ = 0;
  std::atomic<u64> seen_at_{0}, seen_since_ns_{0};  // of the monitor's looks
};

}  // namespace genesys::detail
