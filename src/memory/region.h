// SPDX-License-Identifier: Apache-2.0
// Hands out pieces of one region, first fit, and joins neighbours when they come back. It owns no memory; it only
// records what is taken. Host threads use it for the arena, any number at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace genesys::detail {

class region {
 public:
  static constexpr std::size_t alignment = 64;

  void reset(std::uintptr_t begin, std::size_t bytes) {
    const std::lock_guard hold(lock_);
    free_.clear();
    taken_.clear();
    if (bytes != 0) free_[begin] = bytes;
  }

  // The address of `bytes` bytes (rounded up to 64), or 0 if no piece is large enough.
  std::uintptr_t take(std::size_t bytes) {
    const std::size_t whole = bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
    if (whole < bytes) return 0;
    const std::lock_guard hold(lock_);
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (at->second < whole) continue;
      const auto [begin, bytes_free] = *at;
      if (bytes_free > whole)
        free_.emplace_hint(std::next(at), begin + whole, bytes_free - whole);  // may throw, so first
      auto piece = free_.extract(at);
      piece.mapped() = whole;
      taken_.insert(std::move(piece));
      return begin;
    }
    return 0;
  }

  // False: no taken piece begins there. Needs no memory.
  bool give(std::uintptr_t begin) {
    const std::lock_guard hold(lock_);
    const auto found = taken_.find(begin);
    if (found == taken_.end()) return false;
    auto at = free_.insert(taken_.extract(found)).position;
    const auto next = std::next(at);
    if (next != free_.end() && at->first + at->second == next->first) {
      at->second += next->second;
      free_.erase(next);
    }
    if (at != free_.begin()) {
      const auto before = std::prev(at);
      if (before->first + before->second == at->first) {
        before->second += at->second;
        free_.erase(at);
      }
    }
    return true;
  }

 private:
  std::mutex lock_;
  std::map<std::uintptr_t, std::size_t> free_, taken_;
};

}  // namespace genesys::detail
