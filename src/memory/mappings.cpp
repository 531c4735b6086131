// SPDX-License-Identifier: Apache-2.0
#include "memory/mappings.h"

#include <sys/mman.h>

#include <cerrno>
#include <list>
#include <utility>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/memory.h"
#include "memory/mapping_requests.h"

namespace genesys::detail {
namespace {

// The flags that kernels may pass. Some change nothing here, but programs pass them.
constexpr u64 flags_known = MAP_TYPE | MAP_ANONYMOUS | MAP_POPULATE | MAP_NORESERVE | MAP_NONBLOCK | MAP_STACK |
                            MAP_LOCKED | MAP_DENYWRITE | MAP_EXECUTABLE;

i64 check_request(u64 length, u64 prot, u64 flags, u64 offset) {
  const u64 type = flags & MAP_TYPE;
  if (offset % page != 0 || static_cast<i64>(offset) < 0 || length == 0) return -EINVAL;
  if (type != MAP_SHARED && type != MAP_PRIVATE && type != MAP_SHARED_VALIDATE) return -EINVAL;
  if ((flags & ~(flags_known | u64{genesys::map_device})) != 0) return -EOPNOTSUPP;
  if (prot == PROT_NONE || (prot & ~u64{PROT_READ | PROT_WRITE}) != 0) return -EOPNOTSUPP;
  return length > length_max ? -ENOMEM : 0;
}

}  // namespace

mappings::mappings(device& on, const layout& memory, const options& chosen)
    : on_(on.memory_mapper()),
      bytes_max_(chosen.mapped_bytes_max),
      epoch_word_(&memory.where().ranges->epoch),
      quarantine_(chosen.quarantine_bytes, chosen.quarantine_mappings) {}

mappings::~mappings() { end(); }

i64 mappings::call(u32 number, const u64 (&args)[6]) {
  if (number == number::mmap) return map(args);
  if (number == number::munmap) return unmap(args[0], args[1]);
  if (number == number::shmat) return attach(args);
  if (number == number::shmdt) return detach(args[0]);
  if (number == number::madvise) return advise(args[0], args[1], static_cast<int>(args[2]));
  return -ENOSYS;
}

std::optional<address_info> mappings::at(u64 address) const {
  if (known_.load(std::memory_order_acquire) == 0) return {};  // pairs with the store in enter()
  const std::shared_lock hold(lock_);
  auto found = all_.upper_bound(address);
  if (found == all_.begin()) return {};
  const mapping& m = *std::prev(found)->second;
  if (address - m.begin >= m.bytes) return {};
  if (m.is_device) {
    const address_run run = address - m.begin < m.parts.bytes() ? m.parts.around(address) : address_run{};
    if (run.bytes == 0) return address_info{};
    return address_info{pointer_kind::stage, run.begin, run.bytes};
  }
  if (m.given_up || address - m.begin >= m.usable_bytes) return address_info{};
  return address_info{pointer_kind::pass, m.begin, m.usable_bytes};
}

mappings::mapping_ptr mappings::find(u64 address) const {
  const std::shared_lock hold(lock_);
  auto found = all_.upper_bound(address);
  if (found == all_.begin()) return nullptr;
  const mapping_ptr& m = std::prev(found)->second;
  return address - m->begin < m->bytes ? m : nullptr;
}

// With lock_ held.
void mappings::arrived(u64 bytes) {
  if (bytes_max_ != 0) coming_bytes_ -= bytes;
}

i64 mappings::map(const u64 (&args)[6]) {
  const u64 length = args[1], prot = args[2], flags = args[3], offset = args[5];
  if (const i64 wrong = check_request(length, prot, flags, offset); wrong != 0) return wrong;
  const bool anonymous = (flags & MAP_ANONYMOUS) != 0;
  if ((flags & u64{genesys::map_device}) == 0) {
    const int fd = anonymous ? -1 : static_cast<int>(args[4]);
    return within_limit(up_to(length, page), [&] { return map_host(length, prot, flags, fd, anonymous ? 0 : offset); });
  }
  if (!anonymous) return -EINVAL;
  if ((prot & PROT_WRITE) == 0) return -EOPNOTSUPP;
  return within_limit(up_to(length, piece_of_memory_bytes), [&] { return map_device(length); });
}

mappings::by_address::node_type mappings::fresh_entry() {
  by_address one;
  one.emplace(0, std::make_shared<mapping>());
  return one.extract(one.begin());
}

// Needs lock_. At reused addresses the entry replaces the old one.
void mappings::enter(by_address::node_type entry) {
  entry.key() = entry.mapped()->begin;
  all_.erase(entry.key());
  all_.insert(std::move(entry));
  known_.store(static_cast<u32>(all_.size()), std::memory_order_release);
}

i64 mappings::unmap(u64 begin, u64 length) {
  if (length == 0 || length > length_max) return -EINVAL;
  const mapping_ptr m = find(begin);
  if (m == nullptr) return -EINVAL;
  if (!m->is_device) return unmap_host(begin, up_to(length, page));
  const std::lock_guard changing(m->changing);
  const i64 returned = give_back(*m, begin, up_to(length, piece_of_memory_bytes), piece_state::gone);
  if (returned != 0) return returned;
  const std::lock_guard hold(lock_);
  if (m->parts.all_gone() && !m->lost) {
    m->lost = true;  // for threads that still hold it: its addresses may be reused
    m->parts = {};
    keep_addresses(m->bytes, m->begin);
  }
  return 0;
}

i64 mappings::advise(u64 begin, u64 length, int advice) {
  const mapping_ptr m = find(begin);
  if (m == nullptr || begin % page != 0 || length > length_max) return -EINVAL;
  if (m->is_device) {
    const std::lock_guard changing(m->changing);
    return advise_device(*m, begin, length, advice);
  }
  {
    const std::shared_lock hold(lock_);
    if (m->given_up || up_to(length, page) > m->bytes - (begin - m->begin)) return -EINVAL;
  }
  // The pages are pinned, that is, as if locked, and for locked pages Linux gives -EINVAL. (If Linux took them away,
  // the two sides would use different memory.)
  if (!changes_nothing(advice) && advice != MADV_POPULATE_READ && advice != MADV_POPULATE_WRITE) return -EINVAL;
  return ::madvise(reinterpret_cast<void*>(begin), length, advice) == 0 ? 0 : -errno;
}

void mappings::begin_epoch() {
  const std::lock_guard in_order(epoch_lock_);
  epoch_.fetch_add(1, std::memory_order_relaxed);
}

int mappings::renew_epoch() {
  const std::lock_guard in_order(epoch_lock_);
  return on_.store(epoch_word_, epoch_.fetch_add(1, std::memory_order_relaxed) + 1);
}

void mappings::settle() {
  if (leaked_.load(std::memory_order_relaxed)) return;
  std::list<quarantine::held> held;
  std::multimap<u64, u64> free;
  {
    const std::lock_guard hold(lock_);
    held = quarantine_.release();
    free.swap(free_addresses_);
    for (const auto& [bytes, begin] : free) all_.erase(begin);
    known_.store(static_cast<u32>(all_.size()), std::memory_order_release);
  }
  for (const quarantine::held& one : held) let_go(one.begin, one.bytes);
  for (const auto& [bytes, begin] : free) on_.unreserve(begin, bytes);
}

void mappings::end() {
  settle();
  if (leaked_.load(std::memory_order_relaxed)) return;
  by_address rest;
  {
    const std::lock_guard hold(lock_);
    rest.swap(all_);
    known_.store(0, std::memory_order_release);
    counts_ = {};
  }
  for (const auto& [begin, m] : rest) {
    if (!m->is_device) {
      let_go(begin, m->bytes);
      continue;
    }
    bool gone = !m->lost;
    m->parts.each_run(piece_state::mapped, begin, m->parts.bytes(),
                      [&](const address_run& run) { gone &= on_.depopulate(run.begin, run.bytes) == 0; });
    if (gone) on_.unreserve(begin, m->bytes);
  }
}

mappings::counts mappings::counted() const {
  const std::shared_lock hold(lock_);
  counts now = counts_;
  now.quarantined_bytes = quarantine_.bytes();
  return now;
}

}  // namespace genesys::detail
