// SPDX-License-Identifier: Apache-2.0
// Mappings of device memory: pieces at reserved addresses, which madvise(2) may release and fill again. Called by
// mappings.cpp.
#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <utility>
#include <vector>

#include "memory/mapping_requests.h"
#include "memory/mappings.h"

namespace genesys::detail {

// Takes addresses of an earlier mapping, if some are free. What kernels remember about them is out of date, because
// give_back() began a new epoch.
u64 mappings::take_addresses(u64 bytes, u64& reserved) {
  {
    const std::lock_guard hold(lock_);
    if (const auto free = free_addresses_.lower_bound(bytes); free != free_addresses_.end()) {
      const u64 begin = free->second;
      reserved = free->first;
      free_addresses_.erase(free);
      return begin;
    }
  }
  reserved = bytes;
  return on_.reserve(bytes);
}

i64 mappings::map_device(u64 length) {
  const u64 bytes = up_to(length, piece_of_memory_bytes);
  auto entry = fresh_entry();
  pieces parts(0, bytes);
  u64 reserved = 0;
  const u64 begin = take_addresses(bytes, reserved);
  if (begin == 0) return -ENOMEM;
  mapping& fresh = *entry.mapped();
  fresh.begin = begin;
  fresh.bytes = reserved;
  fresh.is_device = true;
  const int returned = on_.populate(begin, bytes);
  const std::lock_guard hold(lock_);
  if (returned == 0) {
    parts.move_to(begin);
    fresh.parts = std::move(parts);
    counts_.device_bytes += bytes;
    arrived(bytes);
  }
  // Otherwise the copy engine may still write zeros there, so memory and addresses stay unused until the end.
  fresh.lost = returned != 0 && returned != -ENOMEM;
  enter(std::move(entry));
  if (returned == -ENOMEM) keep_addresses(reserved, begin);
  return returned != 0 ? returned : static_cast<i64>(begin);
}

// Needs lock_. If there is no memory for the note, the addresses stay unused until the end.
void mappings::keep_addresses(u64 bytes, u64 begin) {
  try {
    free_addresses_.emplace(bytes, begin);
  } catch (const std::bad_alloc&) {
  }
}

// Frees the pieces of a range of a device mapping that have memory. Needs m.changing.
i64 mappings::give_back(mapping& m, u64 begin, u64 bytes, piece_state becomes) {
  std::vector<address_run> mapped;
  {
    const std::lock_guard hold(lock_);
    if (!m.parts.holds(begin, bytes)) return -EINVAL;
    mapped = m.parts.runs(piece_state::mapped, begin, bytes);
    m.parts.set({begin, bytes}, becomes);
  }
  if (mapped.empty()) return 0;
  int returned = renew_epoch();
  u64 given = 0;
  for (const address_run& run : mapped) {
    if (returned == 0) returned = on_.depopulate(run.begin, run.bytes);
    if (returned == 0) given += run.bytes;
  }
  const std::lock_guard hold(lock_);
  counts_.device_bytes -= given;
  if (returned != 0) m.lost = true;
  return returned;
}

i64 mappings::advise_device(mapping& m, u64 begin, u64 bytes, int advice) {
  if (advice == MADV_DONTNEED) return give_back(m, begin, bytes, piece_state::gap);
  if (advice == MADV_POPULATE_WRITE) return fill_gaps(m, begin, bytes);
  const std::shared_lock hold(lock_);
  const bool ours = m.parts.holds(begin, up_to(bytes, piece_of_memory_bytes));
  return ours && changes_nothing(advice) ? 0 : -EINVAL;
}

// Fills all gaps in the range, or none.
i64 mappings::fill_gaps(mapping& m, u64 begin, u64 bytes) {
  std::vector<address_run> gaps;
  {
    const std::shared_lock hold(lock_);
    if (!m.parts.holds(begin, bytes)) return -EINVAL;
    if (m.lost) return -EIO;
    gaps = m.parts.runs(piece_state::gap, begin, bytes);
  }
  u64 wanted = 0;
  for (const address_run& gap : gaps) wanted += gap.bytes;
  if (wanted == 0) return 0;
  const i64 returned = within_limit(wanted, [&] { return fill(m, gaps, wanted); });
  return returned != 0 ? returned : renew_epoch();  // a range that kernels know is longer now
}

i64 mappings::fill(mapping& m, const std::vector<address_run>& gaps, u64 bytes) {
  int returned = 0;
  std::size_t filled = 0;
  while (filled < gaps.size() && returned == 0) {
    returned = on_.populate(gaps[filled].begin, gaps[filled].bytes);
    if (returned == 0) ++filled;
  }
  if (returned != 0) {
    while (filled != 0) (void)on_.depopulate(gaps[filled - 1].begin, gaps[filled - 1].bytes), --filled;
    // The copy engine may still write zeros to the gap that failed, so its memory stays.
    const std::lock_guard hold(lock_);
    if (returned != -ENOMEM) m.lost = true;
    return returned;
  }
  const std::lock_guard hold(lock_);
  for (const address_run& gap : gaps) m.parts.set(gap, piece_state::mapped);
  counts_.device_bytes += bytes;
  arrived(bytes);
  return 0;
}

}  // namespace genesys::detail
