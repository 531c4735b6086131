// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/allocation_list.h"

#include <algorithm>
#include <mutex>

namespace genesys::schedule {

// Removes what overlaps [base, end); of mapped pieces only that part, if keeps_rest. The mutex is held.
void allocation_list::cut(std::uint64_t base, std::uint64_t end, bool keeps_rest) {
  ++version_;
  auto each = entries_.lower_bound(base);
  if (each != entries_.begin() && std::prev(each)->first + std::prev(each)->second.bytes > base) --each;
  while (each != entries_.end() && each->first < end) {
    const std::uint64_t from = each->first, to = from + each->second.bytes;
    const entry old = each->second;
    each = entries_.erase(each);
    if (!keeps_rest || !old.is_mapped) continue;
    if (from < base) entries_[from] = {base - from, old.what, true};
    if (to > end) entries_[end] = {to - end, old.what, true};
  }
}

void allocation_list::add(std::uint64_t base, std::uint64_t bytes, allocation::kind what) {
  if (base == 0 || bytes == 0) return;
  const std::unique_lock lock(changing_);
  cut(base, base + bytes, false);
  entries_[base] = {bytes, what, false};
}

void allocation_list::add_mapped(std::uint64_t base, std::uint64_t bytes) {
  if (base == 0 || bytes == 0) return;
  const std::unique_lock lock(changing_);
  std::uint64_t end = base + bytes;
  cut(base, end, true);
  auto after = entries_.lower_bound(end);
  if (after != entries_.end() && after->first == end && after->second.is_mapped) {
    end += after->second.bytes;
    after = entries_.erase(after);
  }
  if (after != entries_.begin()) {
    const auto before = std::prev(after);
    if (before->second.is_mapped && before->first + before->second.bytes == base) base = before->first;
  }
  entries_[base] = {end - base, allocation::kind::device, true};
}

bool allocation_list::remove(std::uint64_t base) {
  const std::unique_lock lock(changing_);
  ++version_;
  return entries_.erase(base) != 0;
}

bool allocation_list::holds(std::uint64_t address) const {
  const std::shared_lock lock(changing_);
  const auto after = entries_.upper_bound(address);
  return after != entries_.begin() && address - std::prev(after)->first < std::prev(after)->second.bytes;
}

void allocation_list::remove_mapped(std::uint64_t base, std::uint64_t bytes) {
  const std::unique_lock lock(changing_);
  cut(base, base + bytes, true);
}

void allocation_list::remove_variables() {
  const std::unique_lock lock(changing_);
  std::erase_if(entries_, [](const auto& each) { return each.second.what == allocation::kind::variable; });
  ++version_;
}

void allocation_list::clear() {
  const std::unique_lock lock(changing_);
  entries_.clear();
  ++version_;
  times_cleared_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<allocation> allocation_list::copy() const {
  const std::shared_lock lock(changing_);
  std::vector<allocation> result;
  result.reserve(entries_.size());
  for (const auto& [base, each] : entries_) result.push_back({base, each.bytes, each.what});
  return result;
}

std::uint64_t allocation_list::version() const {
  const std::shared_lock lock(changing_);
  return version_;
}

}  // namespace genesys::schedule
