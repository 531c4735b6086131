// SPDX-License-Identifier: Apache-2.0
// Makes bounce buffers usable on demand, up to the bound of options.bounce_bytes. The device asks when it finds none
// free (internal_grow). Any thread.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "genesys/detail/wire/bounce_buffers.h"
#include "memory/bounce_returns.h"
#include "target/device.h"

namespace genesys::detail {

class bounce_growth {
 public:
  bounce_growth(device& on, const device_context& a, const bounce_returns& returns)
      : on_(on), returns_(returns), classes_(bounce_classes_of(a)) {}

  // Provides the buffers that are usable from the start. Throws error: no_pinned_memory.
  void begin();
  // Doubles the usable buffers of a class, and tells the device; or tells it that there is no memory. (The device then
  // asks seldom.)
  void grow(u32 size);
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  bool provide(u32 size, u32 first, u32 end);

  device& on_;
  const bounce_returns& returns_;
  const std::array<bounce_class, bounce_classes> classes_;
  std::mutex lock_;
  std::array<u32, bounce_classes> usable_{}, finished_{};
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace genesys::detail
