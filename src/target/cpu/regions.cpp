// SPDX-License-Identifier: Apache-2.0
// One reservation of addresses, cut in three. The globals belong to the process: all devices share them, under a lock.
// Only the start of the reservation is read without it, because it is written once (region_of).
#include "target/cpu/regions.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace genesys::detail::cpu {
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;
// ThreadSanitizer leaves few addresses to programs.
constexpr std::size_t device_reserve_bytes = (sanitizers::thread ? 8 : 64) * gib;
constexpr std::size_t stack_reserve_bytes = (sanitizers::thread ? 4 : 32) * gib;
constexpr std::size_t shared_reserve_bytes = (sanitizers::thread ? 1 : 8) * gib;
constexpr std::size_t reserve_bytes = device_reserve_bytes + stack_reserve_bytes + shared_reserve_bytes;

constexpr std::size_t allocation_alignment = 256;  // as cudaMalloc's
constexpr std::size_t redzone_bytes = sanitizers::address ? allocation_alignment : 0;

// Slabs of one size out of one range.
struct slab_range {
  std::byte* next = nullptr;
  std::byte* end = nullptr;
  std::vector<std::byte*> free;
  std::size_t made = 0;
};

struct allocation {
  std::size_t bytes;      // as asked for; 0: a reservation
  std::byte* end;         // of all that it occupies
  bool reserved = false;  // addresses only; populate_device() puts memory there
};

// The start of the reservation; null before it is made. Its three parts follow in this order: device, stacks, shared.
std::atomic<std::byte*> reserved{nullptr};
std::mutex mutex;  // guards what follows
slab_range stack_slabs, shared_slabs;
std::map<std::byte*, allocation> allocations;
std::size_t device_taken_bytes = 0;
std::atomic<int> protection_key{-1};
bool contents_stay = false;  // where memory is locked (mlockall), Linux does not take pages back

void make_accessible(std::byte* from, std::byte* to, bool accessible) {
  if (from >= to) return;
  const std::size_t bytes = static_cast<std::size_t>(to - from);
  const int rights = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
  const int key = protection_key.load(std::memory_order_relaxed);
  if (!accessible && madvise(from, bytes, MADV_DONTNEED) != 0) contents_stay = true;
  const int failed = key >= 0 ? pkey_mprotect(from, bytes, rights, key) : mprotect(from, bytes, rights);
  // If Linux cannot take access away, the memory stays open. That does no harm: it is not in use.
  if (failed && accessible)
    throw std::system_error(errno, std::generic_category(), "setting the access to device memory");
}

std::byte* take_slab(slab_range& range, std::size_t bytes, std::size_t guard_bytes) {
  const std::lock_guard lock(mutex);
  std::byte* slab = nullptr;
  if (!range.free.empty()) {
    slab = range.free.back();
    range.free.pop_back();
  } else if (static_cast<std::size_t>(range.end - range.next) >= bytes) {
    range.free.reserve(++range.made);  // so that give_slab() needs no memory
    slab = range.next;
    range.next += bytes;
  } else {
    return nullptr;
  }
  try {
    make_accessible(slab + guard_bytes, slab + bytes, true);
  } catch (...) {
    range.free.push_back(slab);  // cannot throw: reserved above
    throw;
  }
  return slab;
}

void give_slab(slab_range& range, std::size_t bytes, std::byte* slab) {
  const std::lock_guard lock(mutex);
  sanitizers::permit(slab, bytes);
  make_accessible(slab, slab + bytes, false);
  range.free.push_back(slab);
}

std::byte* page_up(std::byte* p) { return p + (-reinterpret_cast<std::uintptr_t>(p) & (page_bytes - 1)); }
std::byte* page_down(std::byte* p) { return p - (reinterpret_cast<std::uintptr_t>(p) & (page_bytes - 1)); }

}  // namespace

void regions::reserve() {
  const std::lock_guard lock(mutex);
  if (reserved.load(std::memory_order_relaxed)) return;
  void* const got = mmap(nullptr, reserve_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) {
    throw std::system_error(
        errno, std::generic_category(),
        "reserving " + std::to_string(reserve_bytes >> 30) + " GiB of addresses for the CPU device");
  }
  auto* const base = static_cast<std::byte*>(got);
  // A child of fork() inherits these globals. fork() holds the lock, so no other thread changes them meanwhile.
  const auto lock_all = [] { mutex.lock(); };
  const auto unlock_all = [] { mutex.unlock(); };
  if (const int no = pthread_atfork(lock_all, unlock_all, unlock_all); no != 0) {
    munmap(got, reserve_bytes);
    throw std::system_error(no, std::generic_category(), "registering handlers for fork()");
  }
  // With huge pages the first thread on a stack would cost 2 MiB.
  madvise(base + device_reserve_bytes, reserve_bytes - device_reserve_bytes, MADV_NOHUGEPAGE);
  protection_key.store(pkey_alloc(0, 0), std::memory_order_relaxed);  // -1 where there are none
  stack_slabs.next = base + device_reserve_bytes;
  stack_slabs.end = shared_slabs.next = stack_slabs.next + stack_reserve_bytes;
  shared_slabs.end = shared_slabs.next + shared_reserve_bytes;
  reserved.store(base, std::memory_order_relaxed);  // relaxed: a thread gets addresses of it only later
}

region region_of(const void* address) noexcept {
  const auto* const base = reserved.load(std::memory_order_relaxed);
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base);
  if (base == nullptr || offset >= reserve_bytes) {
    return inside_kernel() && sanitizers::is_displaced_local(address) ? region::private_ : region::none;
  }
  if (offset < device_reserve_bytes) return region::device;
  return offset < device_reserve_bytes + stack_reserve_bytes ? region::private_ : region::shared;
}

std::size_t regions::stacks_max(std::size_t stack_bytes) {
  return stack_reserve_bytes / stack_slab_bytes * (stacks_bytes_per_slab / stack_bytes);
}
std::byte* regions::take_stack_slab() { return take_slab(stack_slabs, stack_slab_bytes, stack_guard_bytes); }
std::byte* regions::take_shared_slab() { return take_slab(shared_slabs, shared_slab_bytes, 0); }
void regions::give_stack_slab(std::byte* slab) { give_slab(stack_slabs, stack_slab_bytes, slab); }
void regions::give_shared_slab(std::byte* slab) { give_slab(shared_slabs, shared_slab_bytes, slab); }

void regions::forget_use([[maybe_unused]] std::byte* from, [[maybe_unused]] std::size_t bytes) {
  if constexpr (sanitizers::thread) {
    const std::lock_guard lock(mutex);
    if (mmap(from, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), "renewing shared memory");
    }
    make_accessible(from, from + bytes, true);
  }
}

namespace {

// First fit: the lowest gap between two allocations that is wide enough. Needs the mutex. Null: there is none.
std::byte* place_device(std::size_t wide, std::size_t alignment, const allocation& what) {
  std::byte* const base = reserved.load(std::memory_order_relaxed);
  const auto aligned = [alignment](std::byte* p) {
    return p + (-reinterpret_cast<std::uintptr_t>(p) & (alignment - 1));
  };
  std::byte* at = aligned(base);
  auto next = allocations.begin();
  for (; next != allocations.end() && (next->first < at || static_cast<std::size_t>(next->first - at) < wide); ++next)
    at = aligned(next->second.end);
  std::byte* const end = base + device_reserve_bytes;
  if (at > end || static_cast<std::size_t>(end - at) < wide) return nullptr;
  allocations.emplace_hint(next, at, allocation{what.bytes, at + wide, what.reserved});
  return at;
}

}  // namespace

void* regions::allocate_device(std::size_t bytes) {
  if (bytes == 0 || bytes > device_reserve_bytes) return nullptr;
  const std::size_t wide =
      (bytes + allocation_alignment - 1) / allocation_alignment * allocation_alignment + redzone_bytes;
  const std::lock_guard lock(mutex);
  std::byte* const at = place_device(wide, allocation_alignment, {bytes, nullptr});
  if (at == nullptr) return nullptr;
  try {
    make_accessible(page_down(at), page_up(at + wide), true);
  } catch (...) {
    allocations.erase(at);
    throw;
  }
  sanitizers::permit(at, bytes);
  sanitizers::forbid(at + bytes, wide - bytes);
  device_taken_bytes += wide;
  return at;
}

bool regions::free_device(void* address) {
  const std::lock_guard lock(mutex);
  const auto found = allocations.find(static_cast<std::byte*>(address));
  if (found == allocations.end() || found->second.reserved) return false;
  std::byte* const base = reserved.load(std::memory_order_relaxed);
  const auto after = std::next(found);
  // The pages that no neighbour shares.
  std::byte* const from = found == allocations.begin() ? base : page_up(std::prev(found)->second.end);
  std::byte* const to = after == allocations.end() ? page_up(found->second.end) : page_down(after->first);
  sanitizers::forbid(found->first, found->second.bytes);
  make_accessible(std::max(from, page_down(found->first)), std::min(to, page_up(found->second.end)), false);
  device_taken_bytes -= static_cast<std::size_t>(found->second.end - found->first);
  allocations.erase(found);
  return true;
}

void* regions::reserve_device(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0 || bytes > device_reserve_bytes) return nullptr;
  const std::lock_guard lock(mutex);
  return place_device(bytes, alignment, {0, nullptr, true});
}

void regions::unreserve_device(void* address) {
  const std::lock_guard lock(mutex);
  const auto found = allocations.find(static_cast<std::byte*>(address));
  if (found != allocations.end() && found->second.reserved) allocations.erase(found);
}

void regions::populate_device(void* from, std::size_t bytes) {
  auto* const at = static_cast<std::byte*>(from);
  const std::lock_guard lock(mutex);
  make_accessible(at, at + bytes, true);
  sanitizers::permit(at, bytes);
  if (contents_stay) {
    const opened_device_memory open;
    std::memset(at, 0, bytes);
  }
  device_taken_bytes += bytes;
}

void regions::depopulate_device(void* from, std::size_t bytes) {
  auto* const at = static_cast<std::byte*>(from);
  const std::lock_guard lock(mutex);
  sanitizers::forbid(at, bytes);
  make_accessible(at, at + bytes, false);
  device_taken_bytes -= bytes;
}

std::size_t regions::device_free_bytes() {
  const std::lock_guard lock(mutex);
  return device_reserve_bytes - device_taken_bytes;
}

bool regions::device_range(const void* address, void** base, std::size_t* bytes) {
  const std::lock_guard lock(mutex);
  auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
  auto found = allocations.upper_bound(at);
  if (found == allocations.begin()) return false;
  --found;
  if (static_cast<std::size_t>(at - found->first) >= found->second.bytes) return false;
  if (base) *base = found->first;
  if (bytes) *bytes = found->second.bytes;
  return true;
}

bool has_protection_keys() noexcept { return protection_key.load(std::memory_order_relaxed) >= 0; }

void deny_device_memory() noexcept {
  if (has_protection_keys()) pkey_set(protection_key.load(std::memory_order_relaxed), PKEY_DISABLE_ACCESS);
}

void allow_device_memory() noexcept {
  if (has_protection_keys()) pkey_set(protection_key.load(std::memory_order_relaxed), 0);
}

opened_device_memory::opened_device_memory() {
  if (!has_protection_keys()) return;
  rights_ = pkey_get(protection_key.load(std::memory_order_relaxed));
  allow_device_memory();
}
opened_device_memory::~opened_device_memory() {
  if (has_protection_keys()) pkey_set(protection_key.load(std::memory_order_relaxed), static_cast<unsigned>(rights_));
}

}  // namespace genesys::detail::cpu
