// SPDX-License-Identifier: Apache-2.0
// Returns the bounce buffers of posted calls, for which no lane waits, and those that become usable.
// (detail/staging/bounce_buffers.h says how the device learns of it.) Called by the thread that finishes the call: any
// serving thread.
#pragma once

#include <array>
#include <atomic>

#include "genesys/detail/wire/bounce_buffers.h"

namespace genesys::detail {

inline std::array<bounce_class, bounce_classes> bounce_classes_of(const device_context& a) {
  std::array<bounce_class, bounce_classes> all{first_bounce_class(a)};
  for (u32 i = 1; i < bounce_classes; ++i) all[i] = next_bounce_class(a, all[i - 1], i);
  return all;
}

class bounce_returns {
 public:
  bounce_returns() = default;
  bounce_returns(const device_context& a, u64* returned) : classes_(bounce_classes_of(a)), returned_(returned) {}

  // Returns the bounce buffer in which `address` lies. False: it lies in none. The GPU wrote the address. A wrong one
  // frees another buffer too early, which harms kernels only.
  bool give(u64 address) const {
    for (const bounce_class& c : classes_) {
      const u64 index = (address - c.base) >> c.bytes_log2;
      if (address < c.base || index >= c.buffers) continue;
      std::atomic_ref<u64>(returned_[c.first_word + index / 64])
          .fetch_xor(u64{1} << index % 64, std::memory_order_release);  // pairs with collect_returned
      return true;
    }
    return false;
  }
  void tell_growth(u32 size, bounce_growth_word now) const {
    const bounce_class& last = classes_.back();
    std::atomic_ref<u64>(returned_[last.first_word + words_for(last.buffers) + size])
        .store(as_word(now), std::memory_order_relaxed);  // collect_returned acquires the buffers
  }
  // Returns the buffers from `first` to `end`, which nothing holds.
  void give_range(const bounce_class& c, u32 first, u32 end) const {
    for (u32 word = first / 64; word * 64 < end; ++word) {
      u64 bits = word == first / 64 ? ~u64{0} << first % 64 : ~u64{0};
      if (end - word * 64 < 64) bits &= (u64{1} << (end - word * 64)) - 1;
      std::atomic_ref<u64>(returned_[c.first_word + word])
          .fetch_xor(bits, std::memory_order_release);  // pairs with collect_returned
    }
  }

 private:
  std::array<bounce_class, bounce_classes> classes_{};
  u64* returned_ = nullptr;
};

}  // namespace genesys::detail
