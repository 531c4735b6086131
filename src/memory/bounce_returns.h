// SPDX-License-Identifier: Apache-2.0
// Returns the bounce buffers of posted calls, for which no lane waits. (detail/staging/bounce_buffers.h says how the
// device learns of it.) Called by the thread that finishes the call: any serving thread.
#pragma once

#include <array>
#include <atomic>

#include "genesys/detail/wire/bounce_buffers.h"

namespace genesys::detail {

class bounce_returns {
 public:
  bounce_returns() = default;
  bounce_returns(const device_context& a, u64* returned) : returned_(returned) {
    classes_[0] = first_bounce_class(a);
    for (u32 i = 1; i < bounce_classes; ++i) classes_[i] = next_bounce_class(a, classes_[i - 1], i);
  }

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

 private:
  std::array<bounce_class, bounce_classes> classes_{};
  u64* returned_ = nullptr;
};

}  // namespace genesys::detail
