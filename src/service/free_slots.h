// SPDX-License-Identifier: Apache-2.0
// Which completion slots are free (Q2, Q7, genesys/detail/wire/service.h). Any thread.
#pragma once

#include <atomic>
#include <bit>
#include <memory>

#include "genesys/detail/wire/types.h"

namespace genesys::detail::services {

class free_slots {
 public:
  static constexpr u32 none = ~u32{0};

  // All are free.
  explicit free_slots(u32 slots) : count_((slots + 63) / 64), words_(std::make_unique<line[]>(count_)) {
    for (u32 i = 0; i < slots; ++i) words_[i / 64].bits |= u64{1} << i % 64;
  }

  // `near`: where the search begins, for example a number of the thread.
  u32 take(u32 near) {
    for (u32 i = 0; i < count_; ++i) {
      const u32 at = (near + i) % count_;
      u64 seen = words_[at].bits.load(std::memory_order_seq_cst);
      while (seen != 0) {
        const u64 bit = seen & (0 - seen);
        const u64 before = words_[at].bits.fetch_and(~bit);  // pairs with give()
        if ((before & bit) != 0) return at * 64 + static_cast<u32>(std::countr_zero(bit));
        seen = before & ~bit;
      }
    }
    return none;
  }
  // Takes up to `most`, and writes them to `into`. How many.
  u32 take_several(u32 near, u32* into, u32 most) {
    u32 got = 0;
    for (u32 i = 0; i < count_ && got < most; ++i) {
      const u32 at = (near + i) % count_;
      u64 seen = words_[at].bits.load(std::memory_order_seq_cst), wanted = 0;
      for (u32 left = most - got; left != 0 && seen != 0; --left, seen &= seen - 1) wanted |= seen & (0 - seen);
      if (wanted == 0) continue;
      // Pairs with give().
      for (u64 bits = words_[at].bits.fetch_and(~wanted) & wanted; bits != 0; bits &= bits - 1)
        into[got++] = at * 64 + static_cast<u32>(std::countr_zero(bits));
    }
    return got;
  }
  // How many are free now, about.
  u32 count() const {
    u32 sum = 0;
    for (u32 i = 0; i < count_; ++i)
      sum += static_cast<u32>(std::popcount(words_[i].bits.load(std::memory_order_relaxed)));
    return sum;
  }
  void give(u32 slot) { words_[slot / 64].bits.fetch_or(u64{1} << slot % 64); }  // pairs with take(), take_several()

 private:
  struct alignas(64) line {
    std::atomic<u64> bits{0};
  };
  u32 count_;
  std::unique_ptr<line[]> words_;
};

}  // namespace genesys::detail::services
