// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/snapshot.h"

#include <algorithm>
#include <stdexcept>

namespace genesys::schedule {

snapshot::snapshot(execution& with, snapshot_space& space, std::vector<range> write_set) : with_(with), space_(space) {
  std::byte* kept = nullptr;
  std::size_t left = 0;  // in the piece of the space that is being filled
  for (const range& each : write_set) {
    bytes_ += each.bytes;
    for (std::uint64_t done = 0; done < each.bytes;) {
      if (left == 0) {
        kept = static_cast<std::byte*>(space_.take());
        if (kept == nullptr) throw std::logic_error("genesys: the space of snapshots is smaller than was reserved");
        taken_.push_back(kept);
        left = snapshot_space::piece_bytes;
      }
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, each.bytes - done));
      pieces_.push_back({reinterpret_cast<std::byte*>(each.base + done), part, kept});
      kept += part;
      left -= part;
      done += part;
    }
  }
}

snapshot::~snapshot() {
  for (void* each : taken_) space_.give(each);
}

void snapshot::store() { wanted_ = way::store; }

void snapshot::restore() {
  wanted_ = way::restore;
  next_restore_ = 0;
}

bool snapshot::is_idle() {
  while (!under_way_.empty() && with_.passed(under_way_.front().mark)) {
    with_.forget(under_way_.front().mark);
    stored_bytes_ += under_way_.front().bytes;
    under_way_.pop_front();
  }
  std::size_t& next = wanted_ == way::restore ? next_restore_ : next_store_;
  while (wanted_ != way::none && under_way_.size() < ahead_max && next < pieces_.size()) {
    const piece& one = pieces_[next++];
    if (wanted_ == way::store) {
      under_way_.push_back({with_.copy(one.kept, one.in_use, one.bytes), one.bytes});
    } else {
      under_way_.push_back({with_.copy(one.in_use, one.kept, one.bytes), 0});
    }
  }
  if (wanted_ != way::none && next < pieces_.size()) return false;
  return under_way_.empty();
}

}  // namespace genesys::schedule
