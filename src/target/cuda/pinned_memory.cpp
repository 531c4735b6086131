// SPDX-License-Identifier: Apache-2.0
#include "target/cuda/pinned_memory.h"

#include <cuda_runtime.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "genesys/error.h"
#include "target/cuda/cuda_check.h"

namespace genesys::detail {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20, page_bytes = 4096;
constexpr std::size_t large_bytes = 4 * huge_page_bytes;     // smaller memory comes from cudaHostAlloc
constexpr std::size_t for_one_thread = 2 * huge_page_bytes;  // a thread costs less than touching these
constexpr std::size_t threads_max = 8;

// What Linux could give, also by dropping cached files (proc_meminfo(5)); 0: unknown.
std::size_t available_bytes() {
  std::ifstream from("/proc/meminfo");
  std::string word;
  for (std::size_t kib = 0; from >> word;) {
    if (word == "MemAvailable:" && from >> kib) return kib << 10;
  }
  return 0;
}

// Linux ends a process that touches more than there is, where cudaHostAlloc returns an error.
bool is_plenty_for(std::size_t bytes) {
  const std::size_t available = available_bytes();
  return available == 0 || bytes <= available - available / 4;
}

// Makes Linux zero the pages.
void touch(unsigned char* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += page_bytes) reinterpret_cast<volatile unsigned char&>(begin[at]) = 0;
}

void touch_by_threads(unsigned char* begin, std::size_t bytes) {
  const std::size_t threads = std::clamp(
      std::min<std::size_t>(bytes / for_one_thread, std::thread::hardware_concurrency()), std::size_t{1}, threads_max);
  const std::size_t each = (bytes / threads / huge_page_bytes + 1) * huge_page_bytes;
  std::vector<std::jthread> others;
  try {
    for (std::size_t at = each; at < bytes; at += each)
      others.emplace_back(touch, begin + at, std::min(each, bytes - at));
  } catch (const std::system_error&) {
    // No more threads: cudaHostRegister makes the rest present.
  }
  touch(begin, std::min(each, bytes));
}

}  // namespace

pinned_memory::pinned_memory(int ordinal) : ordinal_(ordinal) {
  int same = 0;
  if (cudaDeviceGetAttribute(&same, cudaDevAttrCanUseHostPointerForRegisteredMem, ordinal_) != cudaSuccess)
    (void)cudaGetLastError();
  same_addresses_ = same != 0;
}

void* pinned_memory::allocate(std::size_t bytes) {
  if (bytes < large_bytes || !same_addresses_) return allocate_at_once(bytes);
  unsigned char* const memory = map(bytes);
  if (memory == nullptr) return allocate_at_once(bytes);
  if (pin(memory, bytes)) return memory;
  free(memory);
  return allocate_at_once(bytes);
}

void* pinned_memory::allocate_at_once(std::size_t bytes) {
  const using_device here(ordinal_);
  void* memory = nullptr;
  const cudaError_t returned = cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
  if (returned != cudaSuccess) {
    (void)cudaGetLastError();
    throw error(error_code::no_pinned_memory,
                "cannot pin " + std::to_string(bytes >> 20) + " MiB of host memory (" + cudaGetErrorString(returned) +
                    "): free memory, or make options.arena_bytes and bounce_bytes smaller");
  }
  std::memset(memory, 0, bytes);
  return memory;
}

void* pinned_memory::reserve(std::size_t bytes) {
  unsigned char* const memory = same_addresses_ ? map(bytes) : nullptr;
  return memory != nullptr ? memory : allocate_at_once(bytes);
}

// Returns null if Linux refuses.
unsigned char* pinned_memory::map(std::size_t bytes) {
  std::list<mapping> entry(1);
  const std::size_t mapped = bytes + huge_page_bytes;  // so that it has a place at a huge page's start
  void* const place =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(place);
  const std::uintptr_t at = (begin + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  const std::uintptr_t end = (at + bytes + page_bytes - 1) / page_bytes * page_bytes;
  auto* const memory = reinterpret_cast<unsigned char*>(at);
  if (at != begin) ::munmap(place, at - begin);
  if (end != begin + mapped) ::munmap(reinterpret_cast<void*>(end), begin + mapped - end);
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // Linux may have none: small pages do as well
  // Pinned pages that a child shares would be copied when the parent writes to them, and the GPU would keep the others.
  if (::madvise(memory, bytes, MADV_DONTFORK) != 0) {
    ::munmap(memory, bytes);
    return nullptr;
  }
  entry.front() = {memory, bytes, {}};
  const std::lock_guard hold(lock_);
  mapped_.splice(mapped_.end(), entry);
  return memory;
}

bool pinned_memory::pin(void* part, std::size_t bytes) {
  auto* const begin = static_cast<unsigned char*>(part);
  std::vector<void*>* pinned = nullptr;
  {
    const std::lock_guard hold(lock_);
    const auto at = std::ranges::find_if(
        mapped_, [begin](const mapping& one) { return begin >= one.memory && begin < one.memory + one.bytes; });
    if (at == mapped_.end()) return true;  // pinned when it was reserved
    if (!is_plenty_for(bytes)) return false;
    pinned = &at->pinned;
    pinned->push_back(begin);  // it may throw, so first
  }
  const using_device here(ordinal_);
  touch_by_threads(begin, bytes);
  if (cudaHostRegister(begin, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable) == cudaSuccess) return true;
  (void)cudaGetLastError();
  const std::lock_guard hold(lock_);
  std::erase(*pinned, begin);
  return false;
}

void pinned_memory::free(void* memory) {
  const using_device here(ordinal_);
  std::list<mapping> found;
  {
    const std::lock_guard hold(lock_);
    const auto at = std::ranges::find(mapped_, memory, &mapping::memory);
    if (at != mapped_.end()) found.splice(found.end(), mapped_, at);
  }
  if (found.empty()) return (void)cudaFreeHost(memory);
  for (void* const part : found.front().pinned) {
    if (cudaHostUnregister(part) == cudaSuccess) continue;
    (void)cudaGetLastError();
    return;  // the GPU may still use it
  }
  ::munmap(memory, found.front().bytes);
}

}  // namespace genesys::detail
