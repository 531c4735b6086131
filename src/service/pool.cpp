// SPDX-License-Identifier: Apache-2.0
#include "service/pool.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t small_alignment = 256, large_alignment = 4096;
// Registrations take time, and copies are cut at their ends. So there are few: the pinned memory doubles each time.
constexpr std::size_t first_growth = 4 * mib, growth_step = 2 * mib;
constexpr std::size_t none = ~std::size_t{0};

std::size_t up_to(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

std::string mib_text(std::size_t bytes) { return std::to_string((bytes + mib - 1) / mib) + " MiB"; }

}  // namespace

pool::pool(mapper& by, std::size_t bytes_max) : by_(by), memory_(shared_memory::make(up_to(bytes_max, growth_step))) {
  counts_.bytes_max = memory_.bytes();
}

pool::~pool() {
  for (const auto& [offset, bytes] : registrations_) by_.let_go(at(offset));
}

void pool::leak() {
  const std::lock_guard hold(lock_);
  registrations_.clear();
  memory_.leak();
}

void* pool::allocate(std::size_t bytes, when_full full) {
  const std::size_t alignment = bytes < large_alignment ? small_alignment : large_alignment;
  if (bytes > counts_.bytes_max) {
    throw error(error_code::bad_option, "the pool has at most " + mib_text(counts_.bytes_max) + ", not " +
                                            mib_text(bytes) + ": make service_options.pool_mib larger");
  }
  const std::size_t rounded = up_to(std::max<std::size_t>(bytes, 1), alignment);
  std::unique_lock hold(lock_);
  std::size_t got = take(rounded, alignment);
  if (got == none && full == when_full::refuse) {
    ++counts_.refused;
    return nullptr;
  }
  if (got == none) ++counts_.waited;
  while (got == none && !closed_) {
    freed_.wait(hold);  // pairs with free() and close()
    got = take(rounded, alignment);
  }
  if (got == none) return nullptr;
  const std::size_t dirty = got < used_ ? std::min(rounded, used_ - got) : 0;
  used_ = std::max(used_, got + rounded);
  taken_.emplace(got, rounded);
  ++counts_.allocations;
  counts_.taken_bytes += rounded;
  counts_.taken_bytes_most = std::max(counts_.taken_bytes_most, counts_.taken_bytes);
  hold.unlock();
  std::memset(at(got), 0, dirty);
  return at(got);
}

void pool::free(void* memory) {
  if (memory == nullptr) return;
  {
    const std::lock_guard hold(lock_);
    const auto found = taken_.find(static_cast<std::size_t>(static_cast<char*>(memory) - at(0)));
    if (found == taken_.end()) {
      throw error(error_code::bad_option,
                  "service_server::free of an address that allocate() did not return, or that is free already");
    }
    counts_.taken_bytes -= found->second;
    give(found->first, found->second);
    taken_.erase(found);
  }
  freed_.notify_all();
}

void pool::close() {
  {
    const std::lock_guard hold(lock_);
    closed_ = true;
  }
  freed_.notify_all();
}

std::size_t pool::registered_bytes(const void* address) const {
  const std::lock_guard hold(lock_);
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - at(0));
  if (offset >= pinned_) return 0;
  const auto one = std::prev(registrations_.upper_bound(offset));
  return one->first + one->second - offset;
}

service_pool_counts pool::counts() const {
  const std::lock_guard hold(lock_);
  service_pool_counts now = counts_;
  now.pinned_bytes = pinned_;
  return now;
}

// The smallest free range that is large enough, or new memory; its offset, or none. Needs lock_, as all that follow.
std::size_t pool::take(std::size_t bytes, std::size_t alignment) {
  do {
    for (auto it = free_by_size_.lower_bound({bytes, 0}); it != free_by_size_.end(); ++it) {
      const auto [wide, from] = *it;
      const std::size_t begin = up_to(from, alignment);
      if (begin - from > wide - bytes) continue;
      erase_free(free_.find(from));
      if (begin != from) insert_free(from, begin - from);
      if (const std::size_t rest = from + wide - (begin + bytes); rest != 0) insert_free(begin + bytes, rest);
      return begin;
    }
  } while (grow(bytes));
  return none;
}

// Pins more memory, so that `bytes` are free at the end. False: the pool has its most.
bool pool::grow(std::size_t bytes) {
  std::size_t at_the_end = 0;
  if (const auto last = free_.rbegin(); last != free_.rend() && last->first + last->second == pinned_)
    at_the_end = pinned_ - up_to(last->first, large_alignment);
  if (at_the_end >= bytes) return false;
  const std::size_t wanted = std::max({bytes - at_the_end, first_growth, pinned_});
  const std::size_t more = std::min(up_to(wanted, growth_step), memory_.bytes() - pinned_);
  if (more == 0 || at_the_end + more < bytes) return false;
  const auto refuse = [&](const char* whose, const std::string& why) {
    throw error(error_code::no_pinned_memory, std::string(whose) + " gives the pool no further " + mib_text(more) +
                                                  " (" + why +
                                                  "): free memory, or make service_options.pool_mib smaller");
  };
  if (const int failed = memory_.commit(pinned_, more); failed != 0) refuse("Linux", std::strerror(-failed));
  auto one = registrations_.emplace(pinned_, more).first;
  if (const int failed = by_.admit(at(pinned_), more, false); failed != 0) {
    if (failed == -EADDRNOTAVAIL) by_.let_go(at(pinned_));
    registrations_.erase(one);
    refuse("the device",
           failed == -EADDRNOTAVAIL ? "it uses another address for host memory than the CPU" : std::strerror(-failed));
  }
  const std::size_t from = pinned_;
  pinned_ += more;
  give(from, more);
  return true;
}

void pool::give(std::size_t from, std::size_t bytes) {
  auto next = free_.lower_bound(from);
  if (next != free_.end() && from + bytes == next->first) {
    bytes += next->second;
    const auto joined = next++;
    erase_free(joined);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == from) {
      from = before->first;
      bytes += before->second;
      erase_free(before);
    }
  }
  insert_free(from, bytes);
}

void pool::insert_free(std::size_t from, std::size_t bytes) {
  free_.emplace(from, bytes);
  free_by_size_.emplace(bytes, from);
}

void pool::erase_free(std::map<std::size_t, std::size_t>::iterator which) {
  free_by_size_.erase({which->second, which->first});
  free_.erase(which);
}

}  // namespace genesys::detail::services
