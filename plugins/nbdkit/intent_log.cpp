// SPDX-License-Identifier: Apache-2.0
#include "intent_log.h"

#include <algorithm>

namespace genesys::nbd {

u64 intent_log::bytes_for(u64 store_bytes) {
  const u64 regions = (store_bytes + region_bytes - 1) / region_bytes;
  return (regions / 8 + block_bytes) / block_bytes * block_bytes;
}

intent_log::intent_log(const file& at, u64 offset, u64 store_bytes)
    : at_(at), offset_(offset), regions_((store_bytes + region_bytes - 1) / region_bytes) {
  std::vector<std::byte> bits(bytes_for(store_bytes));
  at_.read(offset_, bits);
  for (u64 i = 0; i < regions_.size(); ++i)
    regions_[i].is_set = (bits[i / 8] & (std::byte{1} << i % 8)) != std::byte{0};
}

std::vector<u64> intent_log::unclean_regions() const {
  std::vector<u64> found;
  for (u64 i = 0; i < regions_.size(); ++i) {
    if (regions_[i].is_set) found.push_back(i);
  }
  return found;
}

void intent_log::mark_all() {
  const std::lock_guard hold(lock_);
  for (region& one : regions_) one.is_set = true;
  for (u64 i = 0; i < regions_.size(); i += 8) store_bit(i);
  at_.sync();
}

// With the lock.
void intent_log::store_bit(u64 number) {
  std::byte bits{0};
  for (u64 i = 0; i < 8 && number / 8 * 8 + i < regions_.size(); ++i) {
    if (regions_[number / 8 * 8 + i].is_set) bits |= std::byte{1} << i;
  }
  at_.write(offset_ + number / 8, {&bits, 1});
}

intent_log::write::write(intent_log& log, u64 offset, u64 bytes)
    : log_(log), first_(offset / region_bytes), last_((offset + std::max<u64>(bytes, 1) - 1) / region_bytes) {
  const std::lock_guard hold(log_.lock_);  // another write to the region waits here until the bit is durable
  bool is_new = false;
  for (u64 i = first_; i <= last_; ++i) {
    if (log_.regions_[i].is_set) continue;
    log_.regions_[i].is_set = is_new = true;
    try {
      log_.store_bit(i);
    } catch (...) {
      log_.regions_[i].is_set = false;
      throw;
    }
  }
  if (is_new) {
    try {
      log_.at_.sync();
    } catch (...) {
      // A bit may be in memory and not in the file: the next write sets them again.
      for (u64 i = first_; i <= last_; ++i) {
        if (log_.regions_[i].writes == 0 && !log_.regions_[i].is_touched) log_.regions_[i].is_set = false;
      }
      throw;
    }
  }
  for (u64 i = first_; i <= last_; ++i) ++log_.regions_[i].writes;
}

intent_log::write::~write() {
  const std::lock_guard hold(log_.lock_);
  for (u64 i = first_; i <= last_; ++i) {
    --log_.regions_[i].writes;
    log_.regions_[i].is_touched = true;
  }
}

std::vector<u64> intent_log::idle_regions() {
  const std::lock_guard hold(lock_);
  std::vector<u64> idle;
  for (u64 i = 0; i < regions_.size(); ++i) {
    region& is = regions_[i];
    if (is.is_set && is.writes == 0 && !is.is_touched) idle.push_back(i);
    is.is_touched = false;
  }
  return idle;
}

// The cleared bits need not be durable: if they are not, a clean region is taken for an unclean one.
void intent_log::clear(const std::vector<u64>& regions) {
  const std::lock_guard hold(lock_);
  for (const u64 i : regions) {
    if (regions_[i].writes != 0 || regions_[i].is_touched) continue;
    regions_[i].is_set = false;
    store_bit(i);
  }
}

void intent_log::clear_all() {
  const std::lock_guard hold(lock_);
  for (u64 i = 0; i < regions_.size(); ++i) {
    if (!regions_[i].is_set) continue;
    regions_[i].is_set = regions_[i].is_touched = false;
    store_bit(i);
  }
  at_.sync();
}

}  // namespace genesys::nbd
