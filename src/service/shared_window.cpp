// SPDX-License-Identifier: Apache-2.0
#include "service/shared_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "genesys/error.h"

namespace genesys::detail::services {
namespace {

constexpr std::size_t least_bytes = std::size_t{64} << 20;
constexpr int reservation = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

shared_window::shared_window(std::size_t bytes) {
  for (; bytes >= least_bytes && begin_ == nullptr; bytes /= 2) {
    void* const got = ::mmap(nullptr, bytes, PROT_NONE, reservation, -1, 0);
    if (got == MAP_FAILED) continue;
    begin_ = static_cast<char*>(got);
    bytes_ = bytes;
  }
}

shared_window::~shared_window() {
  for (const auto& [at, bytes] : taken_) (void)::munmap(at, bytes);
  if (begin_ != nullptr) (void)::munmap(begin_, bytes_);
}

void* shared_window::map(int fd, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t whole = (bytes + page - 1) / page * page;
  const std::lock_guard hold(lock_);
  char* const at = whole >= bytes && whole != 0 && begin_ != nullptr ? place(whole) : nullptr;
  if (begin_ != nullptr && at == nullptr)
    throw error(error_code::no_pinned_memory, "the server has no more addresses for shared memory");
  void* const got = ::mmap(at, whole, PROT_READ | PROT_WRITE, MAP_SHARED | (at != nullptr ? MAP_FIXED : 0), fd, 0);
  if (got == MAP_FAILED)
    throw error(error_code::no_pinned_memory, std::string("mapping shared memory failed: ") + std::strerror(errno));
  taken_.emplace(static_cast<char*>(got), whole);
  return got;
}

void shared_window::unmap(void* memory) {
  const std::lock_guard hold(lock_);
  const auto found = taken_.find(static_cast<char*>(memory));
  if (found == taken_.end()) return;
  if (begin_ == nullptr) {
    (void)::munmap(memory, found->second);
  } else {  // the addresses stay reserved
    (void)::mmap(memory, found->second, PROT_NONE, reservation | MAP_FIXED, -1, 0);
  }
  taken_.erase(found);
}

// First fit. Needs lock_.
char* shared_window::place(std::size_t bytes) {
  char* at = begin_;
  for (const auto& [taken, its_bytes] : taken_) {
    if (static_cast<std::size_t>(taken - at) >= bytes) return at;
    at = taken + its_bytes;
  }
  return static_cast<std::size_t>(begin_ + bytes_ - at) >= bytes ? at : nullptr;
}

}  // namespace genesys::detail::services
