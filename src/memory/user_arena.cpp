// SPDX-License-Identifier: Apache-2.0
#include "memory/user_arena.h"

#include <algorithm>

#include "memory/cannot_pin.h"

namespace genesys::detail {
namespace {

constexpr std::size_t small_bytes_max = std::size_t{2} << 20;
constexpr std::size_t small_piece_max = std::size_t{64} << 10;

}  // namespace

std::size_t user_arena::small_bytes(std::size_t bytes) { return std::min(small_bytes_max, bytes / 32 / 4096 * 4096); }

void user_arena::reset(device& on, std::uintptr_t begin, std::size_t bytes) {
  on_ = &on;
  const std::size_t small = small_bytes(bytes);
  const auto set = [](part& one, std::uintptr_t at, std::size_t space) {
    one.begin = at;
    one.bytes = whole_pages(space);
    one.pieces.reset(at, space);
  };
  set(parts_[0], begin, small);
  set(parts_[1], begin + small, bytes);
}

std::uintptr_t user_arena::take(std::size_t bytes) {
  auto& [small, large] = parts_;
  if (bytes > small_piece_max) return take_from(large, bytes);
  const std::uintptr_t at = take_from(small, bytes);
  return at != 0 ? at : take_from(large, bytes);
}

bool user_arena::give(std::uintptr_t begin) { return parts_[0].pieces.give(begin) || parts_[1].pieces.give(begin); }

std::uintptr_t user_arena::take_from(part& of, std::size_t bytes) {
  const std::uintptr_t at = of.pieces.take(bytes);
  if (at == 0) return 0;
  const std::lock_guard hold(pinning_);
  if (of.is_pinned) return at;
  if (!on_->provide(reinterpret_cast<void*>(of.begin), of.bytes)) {
    of.pieces.give(at);
    throw cannot_pin(of.bytes, "the arena", "arena_bytes");
  }
  of.is_pinned = true;
  pinned_.fetch_add(of.bytes, std::memory_order_relaxed);
  return at;
}

}  // namespace genesys::detail
