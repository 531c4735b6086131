// SPDX-License-Identifier: Apache-2.0
#include "memory/mappings.h"

#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <list>
#include <new>
#include <utility>
#include <vector>

#include "genesys/detail/table/generated/numbers.h"
#include "genesys/memory.h"

namespace genesys::detail {
namespace {

constexpr u64 page = 4096;
constexpr u64 length_max = u64{1} << 46;  // longer than any memory, short enough to add to an address

constexpr u64 up_to(u64 bytes, u64 whole) { return (bytes + whole - 1) / whole * whole; }

// What Linux may be asked for as well; those that change nothing here are let through, since programs pass them.
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

bool changes_nothing(int advice) {
  return advice == MADV_NORMAL || advice == MADV_RANDOM || advice == MADV_SEQUENTIAL || advice == MADV_WILLNEED;
}

int map_in_linux(u64 bytes, u64 usable_bytes, u64 prot, u64 flags, int fd, u64 offset, void*& at) {
  const int as = static_cast<int>(flags & ~u64{MAP_LOCKED}), rights = static_cast<int>(prot);
  if (usable_bytes == bytes) {
    at = ::mmap(nullptr, bytes, rights, as, fd, static_cast<off_t>(offset));
    return at == MAP_FAILED ? -errno : 0;
  }
  // The rest is the mapping's own all the same: whoever goes there shall not find somebody else's memory.
  at = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return -errno;
  if (::mmap(at, usable_bytes, rights, as | MAP_FIXED, fd, static_cast<off_t>(offset)) != MAP_FAILED) return 0;
  const int failed = -errno;
  ::munmap(at, bytes);
  return failed;
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
  if (known_.load(std::memory_order_acquire) == 0) return {};  // pairs with the stores in map_host and map_device
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

// Several may map at once: what is on its way counts, too, until it has arrived.
template <class F>
i64 mappings::within_limit(u64 bytes, F make) {
  const auto revoke = [&] {
    const std::lock_guard hold(lock_);
    arrived(bytes);
  };
  if (bytes_max_ != 0) {
    const std::lock_guard hold(lock_);
    const u64 taken = counts_.device_bytes + counts_.host_bytes + coming_bytes_;
    if (bytes > bytes_max_ || taken > bytes_max_ - bytes) return -ENOMEM;
    coming_bytes_ += bytes;
  }
  try {
    const i64 returned = make();
    if (returned < 0) revoke();
    return returned;
  } catch (...) {
    revoke();
    throw;
  }
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

i64 mappings::map_host(u64 length, u64 prot, u64 flags, int fd, u64 offset) {
  const u64 bytes = up_to(length, page);
  u64 usable_bytes = bytes;
  if ((flags & MAP_ANONYMOUS) == 0) {
    struct stat about {};
    if (::fstat(fd, &about) != 0) return -errno;
    if (S_ISREG(about.st_mode)) {
      if (offset >= static_cast<u64>(about.st_size)) return -ENXIO;
      usable_bytes = std::min(bytes, up_to(static_cast<u64>(about.st_size) - offset, page));
    }
  }
  // To somebody who only reads, a private mapping is a shared one (POSIX leaves open whether it shows later changes).
  // The driver (580) does not come back from registering a private one that may not be written.
  if ((prot & PROT_WRITE) == 0) flags = (flags & ~u64{MAP_TYPE}) | MAP_SHARED;
  auto entry = fresh_entry();
  std::list<quarantine::held> useless(1);
  void* at = nullptr;
  if (const int failed = map_in_linux(bytes, usable_bytes, prot, flags, fd, offset, at); failed != 0) return failed;
  return enter_host(std::move(entry), useless, at, bytes, usable_bytes, (prot & PROT_WRITE) == 0, false);
}

mappings::by_address::node_type mappings::fresh_entry() {
  by_address one;
  one.emplace(0, std::make_shared<mapping>());
  return one.extract(one.begin());
}

// With lock_ held. At addresses that were used before it takes the old one's place.
void mappings::enter(by_address::node_type entry) {
  entry.key() = entry.mapped()->begin;
  all_.erase(entry.key());
  all_.insert(std::move(entry));
  known_.store(static_cast<u32>(all_.size()), std::memory_order_release);
}

// What Linux has mapped becomes a mapping.
i64 mappings::enter_host(by_address::node_type entry, std::list<quarantine::held>& useless, void* at, u64 bytes,
                         u64 usable_bytes, bool read_only, bool attached) {
  useless.front() = {reinterpret_cast<u64>(at), bytes};
  const int returned = on_.admit(at, usable_bytes, read_only);
  if (returned != 0 && returned != -EADDRNOTAVAIL) {
    ::munmap(at, bytes);
    return returned;
  }
  mapping& fresh = *entry.mapped();
  fresh.begin = reinterpret_cast<u64>(at);
  fresh.bytes = bytes;
  fresh.usable_bytes = usable_bytes;
  fresh.given_up = returned != 0;
  fresh.attached = attached;
  const i64 value = returned != 0 ? -EOPNOTSUPP : static_cast<i64>(fresh.begin);
  const std::lock_guard hold(lock_);
  if (fresh.given_up) {
    quarantine_.take_always(useless);
  } else {
    counts_.host_bytes += bytes;
    arrived(bytes);
  }
  enter(std::move(entry));
  return value;
}

i64 mappings::attach(const u64 (&args)[6]) {
  const int segment = static_cast<int>(args[0]), flags = static_cast<int>(args[2]);
  if (args[1] != 0 || (flags & ~(SHM_RDONLY | SHM_RND)) != 0) return -EOPNOTSUPP;
  shmid_ds about{};
  if (::shmctl(segment, IPC_STAT, &about) != 0) return -errno;
  const u64 bytes = up_to(about.shm_segsz, page);
  return within_limit(bytes, [&] { return attach(segment, flags, bytes); });
}

i64 mappings::attach(int segment, int flags, u64 bytes) {
  auto entry = fresh_entry();
  std::list<quarantine::held> useless(1);
  void* at = ::shmat(segment, nullptr, flags);
  if (at == reinterpret_cast<void*>(-1)) return -errno;
  return enter_host(std::move(entry), useless, at, bytes, bytes, (flags & SHM_RDONLY) != 0, true);
}

i64 mappings::detach(u64 address) {
  const mapping_ptr m = find(address);
  return m == nullptr || !m->attached || m->begin != address ? -EINVAL : unmap_host(address, m->bytes);
}

// Addresses that were used before, if some are free: nothing that is known of them is good any more (give_back).
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
  enter(std::move(entry));
  if (returned == -ENOMEM) keep_addresses(reserved, begin);
  return returned != 0 ? returned : static_cast<i64>(begin);
}

// With lock_ held. Where there is no memory to note them with, they are not used again before the end.
void mappings::keep_addresses(u64 bytes, u64 begin) {
  try {
    free_addresses_.emplace(bytes, begin);
  } catch (const std::bad_alloc&) {
  }
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
    m->lost = true;  // to whoever still holds it: the addresses are not its own any more
    m->parts = {};
    keep_addresses(m->bytes, m->begin);
  }
  return 0;
}

i64 mappings::unmap_host(u64 begin, u64 bytes) {
  {
    const std::lock_guard hold(lock_);
    const auto found = all_.find(begin);
    if (found == all_.end() || found->second->is_device || found->second->given_up || found->second->bytes != bytes)
      return -EINVAL;
    if (!quarantine_.take({begin, bytes})) return -ENOMEM;
    found->second->given_up = true;
    counts_.host_bytes -= bytes;
  }
  return renew_epoch();
}

// Of a device mapping, by whoever holds `changing`: the memory goes, whatever of it is there.
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
  // Its pages are pinned, as if locked: to that Linux's own answer is EINVAL. (Would it take them away, the two sides
  // would go on with different memory.)
  if (!changes_nothing(advice) && advice != MADV_POPULATE_READ && advice != MADV_POPULATE_WRITE) return -EINVAL;
  return ::madvise(reinterpret_cast<void*>(begin), length, advice) == 0 ? 0 : -errno;
}

i64 mappings::advise_device(mapping& m, u64 begin, u64 bytes, int advice) {
  if (advice == MADV_DONTNEED) return give_back(m, begin, bytes, piece_state::gap);
  if (advice == MADV_POPULATE_WRITE) return fill_gaps(m, begin, bytes);
  const std::shared_lock hold(lock_);
  const bool ours = m.parts.holds(begin, up_to(bytes, piece_of_memory_bytes));
  return ours && changes_nothing(advice) ? 0 : -EINVAL;
}

// All of them or none.
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
  return returned != 0 ? returned : renew_epoch();  // a range that was known before goes further now
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
    return returned;
  }
  const std::lock_guard hold(lock_);
  for (const address_run& gap : gaps) m.parts.set(gap, piece_state::mapped);
  counts_.device_bytes += bytes;
  arrived(bytes);
  return 0;
}

void mappings::begin_epoch() {
  const std::lock_guard in_order(epoch_lock_);
  epoch_.fetch_add(1, std::memory_order_relaxed);
}

int mappings::renew_epoch() {
  const std::lock_guard in_order(epoch_lock_);
  return on_.store(epoch_word_, epoch_.fetch_add(1, std::memory_order_relaxed) + 1);
}

// Nobody looks at the addresses any more when they go back to Linux, which may give them to anyone.
void mappings::let_go(u64 begin, u64 bytes) {
  on_.let_go(reinterpret_cast<void*>(begin));
  {
    const std::lock_guard hold(lock_);
    all_.erase(begin);
    known_.store(static_cast<u32>(all_.size()), std::memory_order_release);
  }
  ::munmap(reinterpret_cast<void*>(begin), bytes);
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
