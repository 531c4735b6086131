// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/snapshot_space.h"

#include <algorithm>

namespace genesys::schedule {

snapshot_space::~snapshot_space() {
  for (void* each : device_) on_.free(each);
  for (void* each : pinned_) on_.free_both(each);
}

bool snapshot_space::grow(std::size_t wanted) {
  const auto fits = [](std::size_t count, std::uint64_t limit) { return (count + 1) * piece_bytes <= limit; };
  while (pieces() < wanted) {
    if (fits(device_.size(), limits_.device_bytes)) {
      try {
        device_.push_back(on_.allocate(piece_bytes));
        free_device_.push_back(device_.back());
        continue;
      } catch (const error&) {  // the device is full: pinned memory
      }
    }
    if (!fits(pinned_.size(), limits_.pinned_bytes)) return false;
    try {
      pinned_.push_back(on_.allocate_both(piece_bytes));
      free_pinned_.push_back(pinned_.back());
    } catch (const error&) {
      return false;
    }
  }
  return true;
}

void* snapshot_space::take() {
  for (std::vector<void*>* const from : {&free_device_, &free_pinned_}) {
    if (from->empty()) continue;
    void* const piece = from->back();
    from->pop_back();
    return piece;
  }
  return nullptr;
}

bool snapshot_space::is_pinned(const void* piece) const {
  return std::find(pinned_.begin(), pinned_.end(), piece) != pinned_.end();
}

}  // namespace genesys::schedule
