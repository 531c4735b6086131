// SPDX-License-Identifier: Apache-2.0
// Which parts of a client's memory are free. It keeps nothing in that memory, which services write. One thread at a
// time.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>

namespace genesys::detail::serving {

class free_ranges {
 public:
  static constexpr std::size_t alignment = 256, none = ~std::size_t{0};

  explicit free_ranges(std::size_t bytes) { free_[0] = bytes / alignment * alignment; }

  // The offset of a part of at least `bytes`, or none. It takes the smallest free part that is large enough.
  std::size_t take(std::size_t bytes) {
    if (bytes > none - alignment) return none;
    const std::size_t wanted = bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
    auto best = free_.end();
    for (auto each = free_.begin(); each != free_.end(); ++each) {
      if (each->second >= wanted && (best == free_.end() || each->second < best->second)) best = each;
    }
    if (best == free_.end()) return none;
    const std::size_t at = best->first, left = best->second - wanted;
    free_.erase(best);
    if (left != 0) free_[at + wanted] = left;
    taken_[at] = wanted;
    return at;
  }

  // False: nothing was taken at this offset.
  bool give(std::size_t at) {
    const auto found = taken_.find(at);
    if (found == taken_.end()) return false;
    std::size_t from = at, bytes = found->second;
    taken_.erase(found);
    const auto after = free_.lower_bound(from);
    if (after != free_.begin()) {
      if (const auto before = std::prev(after); before->first + before->second == from) {
        from = before->first, bytes += before->second;
        free_.erase(before);
      }
    }
    if (after != free_.end() && at + (bytes - (at - from)) == after->first) {
      bytes += after->second;
      free_.erase(after);
    }
    free_[from] = bytes;
    return true;
  }

  std::size_t parts() const { return free_.size(); }

 private:
  std::map<std::size_t, std::size_t> free_, taken_;  // offset, bytes
};

}  // namespace genesys::detail::serving
