// SPDX-License-Identifier: Apache-2.0
// The arena: memory that both sides address, for users (runtime::allocate_arena, run::copy). Any host thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "memory/region.h"
#include "target/device.h"

namespace genesys::detail {

// It has two parts: a small one for arguments and results, and one for all else. A part is pinned when something is
// first taken from it. No piece lies in both: to CUDA they are two pieces of memory.
class user_arena {
 public:
  user_arena() = default;

  // The bytes to reserve for an arena that has space for one piece of `bytes`.
  static std::size_t bytes_to_reserve(std::size_t bytes) { return small_bytes(bytes) + whole_pages(bytes); }

  // The arena is at `begin`, in memory of on.reserve_both().
  void reset(device& on, std::uintptr_t begin, std::size_t bytes);

  // The address of `bytes` bytes, aligned to region::alignment. Returns 0 if there is no space. Throws error:
  // no_pinned_memory.
  std::uintptr_t take(std::size_t bytes);
  // False: take() did not return this address, or it is free already.
  bool give(std::uintptr_t begin);
  std::size_t bytes_pinned() const { return pinned_.load(std::memory_order_relaxed); }

 private:
  struct part {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    bool is_pinned = false;  // guarded by pinning_
    region pieces;
  };

  static std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }
  static std::size_t small_bytes(std::size_t bytes);
  std::uintptr_t take_from(part& of, std::size_t bytes);

  device* on_ = nullptr;
  std::array<part, 2> parts_;  // the small one, the large one
  std::mutex pinning_;
  std::atomic<std::size_t> pinned_{0};
};

}  // namespace genesys::detail
