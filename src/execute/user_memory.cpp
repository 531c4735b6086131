// SPDX-License-Identifier: Apache-2.0
#include "execute/user_memory.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "genesys/error.h"

namespace genesys::detail {

user_memory::user_memory(const layout& memory, device& on, mappings& maps) : memory_(memory), device_(on), maps_(maps) {
  nowhere_ = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (nowhere_ == MAP_FAILED)
    throw error(error_code::system, std::string("mmap of a guard page: ") + std::strerror(errno));
}

user_memory::~user_memory() { ::munmap(nowhere_, 4096); }

address_info user_memory::look(u64 address) const {
  const std::optional<address_info> mapped = maps_.at(address);
  return mapped ? *mapped : device_.ask(address);
}

u64 user_memory::capacity_at(u64 address) const {
  const u64 end = memory_.where().arena_end;
  if (address >= memory_.where().arena_begin && address < end) return end - address;
  if (address == 0) return 0;
  const address_info returned = look(address);
  const bool lies_in =
      returned.kind == pointer_kind::pass && address >= returned.begin && address - returned.begin < returned.bytes;
  return lies_in ? returned.begin + returned.bytes - address : 0;
}

u64 user_memory::checked(u64 address, u64 bytes) const {
  if (address == 0) return 0;
  const u64 capacity = capacity_at(address);
  return capacity != 0 && bytes <= capacity ? address : reinterpret_cast<u64>(nowhere_);
}

// A mapped file may have been truncated, and a thread that touches memory beyond its end gets SIGBUS. So Linux makes
// the copy. (It cannot copy in this way from memory that CUDA has pinned, but that memory cannot go away either.)
bool user_memory::copy_mapped(void* to, u64 address, u64 bytes) {
  const iovec into{to, bytes}, from{reinterpret_cast<void*>(address), bytes};
  return ::process_vm_readv(::getpid(), &into, 1, &from, 1, 0) == static_cast<ssize_t>(bytes);
}

// Copies a string of at most `capacity` bytes. `end`: its length, or `capacity`. False: it cannot be read.
bool user_memory::copy_string(char* to, u64 address, u64 capacity, u64& end) const {
  if (!maps_.at(address)) {
    const auto* text = reinterpret_cast<const char*>(address);
    for (end = 0; end < capacity; ++end) {
      to[end] = std::atomic_ref<const char>(text[end]).load(std::memory_order_relaxed);
      if (to[end] == 0) break;
    }
    return true;
  }
  constexpr u64 page = 4096;
  for (end = 0; end < capacity;) {
    const u64 part = std::min(capacity - end, page - (address + end) % page);
    if (!copy_mapped(to + end, address + end, part)) return false;
    if (const void* nul = std::memchr(to + end, 0, part); nul != nullptr) {
      end = static_cast<u64>(static_cast<const char*>(nul) - to);
      return true;
    }
    end += part;
  }
  return true;
}

// Copies the string, up to the length of a path, so that it cannot change between Linux's reads of it.
u64 user_memory::readable_string(u64 address, char (&copy)[path_bytes_max + 1]) const {
  u64 capacity = capacity_at(address);
  if (capacity == 0) return checked(address, 1);
  if (capacity > path_bytes_max) capacity = path_bytes_max;
  u64 n = 0;
  if (!copy_string(copy, address, capacity, n)) return reinterpret_cast<u64>(nowhere_);
  if (n < capacity) return reinterpret_cast<u64>(copy);
  copy[n] = 0;  // 4,096 bytes and no end: Linux gives -ENAMETOOLONG
  return n == path_bytes_max ? reinterpret_cast<u64>(copy) : reinterpret_cast<u64>(nowhere_);
}

bool user_memory::copy_in(void* to, u64 address, u64 bytes) const {
  if (address == 0 || address == reinterpret_cast<u64>(nowhere_)) return false;
  if (bytes == 0) return true;
  if (maps_.at(address)) return copy_mapped(to, address, bytes);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

bool user_memory::copy_out(u64 address, const void* from, u64 bytes) const {
  if (bytes == 0) return true;
  if (maps_.at(address)) {
    const iovec local{const_cast<void*>(from), bytes}, there{reinterpret_cast<void*>(address), bytes};
    return ::process_vm_writev(::getpid(), &local, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
  }
  std::memcpy(reinterpret_cast<void*>(address), from, bytes);
  return true;
}

bool user_memory::is_mapped(u64 address, u64 bytes) const {
  const std::optional<address_info> found = maps_.at(address);
  return found && found->kind == pointer_kind::pass && bytes <= found->begin + found->bytes - address;
}

}  // namespace genesys::detail
