// SPDX-License-Identifier: Apache-2.0
// Which pieces of a device mapping have memory. Used by mappings, under its lock.
#pragma once

#include <algorithm>
#include <vector>

#include "target/mapper.h"

namespace genesys::detail {

enum class piece_state : unsigned char {
  mapped,  // has memory
  gap,     // given back (MADV_DONTNEED), until MADV_POPULATE_WRITE
  gone,    // unmapped
};

struct address_run {
  u64 begin, bytes;
};

class pieces {
 public:
  pieces() = default;
  pieces(u64 begin, u64 bytes) : begin_(begin), states_(bytes / piece_of_memory_bytes, piece_state::mapped) {}

  void move_to(u64 begin) { begin_ = begin; }
  u64 begin() const { return begin_; }
  u64 bytes() const { return states_.size() * piece_of_memory_bytes; }
  // Whether the range consists of whole pieces of the mapping, none of them unmapped.
  bool holds(u64 from, u64 bytes_wanted) const {
    if (from < begin_ || (from - begin_) % piece_of_memory_bytes != 0 || bytes_wanted % piece_of_memory_bytes != 0 ||
        bytes_wanted == 0 || from - begin_ > bytes() || bytes_wanted > bytes() - (from - begin_)) {
      return false;
    }
    return std::find(at(from), at(from + bytes_wanted), piece_state::gone) == at(from + bytes_wanted);
  }
  bool all_gone() const {
    return std::all_of(states_.begin(), states_.end(), [](piece_state s) { return s == piece_state::gone; });
  }
  // The runs of pieces in this state, within [from, from + bytes).
  std::vector<address_run> runs(piece_state wanted, u64 from, u64 bytes_wanted) const {
    std::vector<address_run> found;
    each_run(wanted, from, bytes_wanted, [&](const address_run& run) { found.push_back(run); });
    return found;
  }
  template <class Visit>
  void each_run(piece_state wanted, u64 from, u64 bytes_wanted, Visit visit) const {
    if (states_.empty()) return;
    const auto end = at(from + bytes_wanted);
    for (auto one = at(from); one != end;) {
      const auto first = std::find(one, end, wanted);
      one = std::find_if(first, end, [&](piece_state s) { return s != wanted; });
      if (first != one) visit(address_run{address(first), address(one) - address(first)});
    }
  }
  // The run of mapped pieces that an address within lies in; no bytes: there is no memory.
  address_run around(u64 inside) const {
    auto first = at(inside);
    if (*first != piece_state::mapped) return {inside, 0};
    const auto end = std::find_if(first, states_.end(), [](piece_state s) { return s != piece_state::mapped; });
    while (first != states_.begin() && *std::prev(first) == piece_state::mapped) --first;
    return {address(first), address(end) - address(first)};
  }
  void set(const address_run& run, piece_state state) {
    const auto first = states_.begin() + (at(run.begin) - states_.begin());
    std::fill_n(first, run.bytes / piece_of_memory_bytes, state);
  }

 private:
  using iterator = std::vector<piece_state>::const_iterator;
  iterator at(u64 inside) const {
    return states_.begin() + static_cast<std::ptrdiff_t>((inside - begin_) / piece_of_memory_bytes);
  }
  u64 address(iterator one) const { return begin_ + static_cast<u64>(one - states_.begin()) * piece_of_memory_bytes; }

  u64 begin_ = 0;
  std::vector<piece_state> states_;
};

}  // namespace genesys::detail
