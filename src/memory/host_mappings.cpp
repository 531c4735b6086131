// SPDX-License-Identifier: Apache-2.0
// Mappings of host memory: files, anonymous memory, and System V segments. Linux maps them, and the device admits them.
// Called by mappings.cpp.
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <list>
#include <utility>

#include "memory/mapping_requests.h"
#include "memory/mappings.h"

namespace genesys::detail {
namespace {

int map_in_linux(u64 bytes, u64 usable_bytes, u64 prot, u64 flags, int fd, u64 offset, void*& at) {
  const int as = static_cast<int>(flags & ~u64{MAP_LOCKED}), rights = static_cast<int>(prot);
  if (usable_bytes == bytes) {
    at = ::mmap(nullptr, bytes, rights, as, fd, static_cast<off_t>(offset));
    return at == MAP_FAILED ? -errno : 0;
  }
  // The rest of the addresses belongs to the mapping, too, so that an access there cannot hit other memory.
  at = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return -errno;
  if (::mmap(at, usable_bytes, rights, as | MAP_FIXED, fd, static_cast<off_t>(offset)) != MAP_FAILED) return 0;
  const int failed = -errno;
  ::munmap(at, bytes);
  return failed;
}

}  // namespace

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
  // For a reader a shared mapping serves as a private one: POSIX leaves open whether a private one shows later changes
  // of the file. CUDA's driver (580) hangs when it registers a private mapping that is not writable.
  if ((prot & PROT_WRITE) == 0) flags = (flags & ~u64{MAP_TYPE}) | MAP_SHARED;
  auto entry = fresh_entry();
  std::list<quarantine::held> useless(1);
  void* at = nullptr;
  if (const int failed = map_in_linux(bytes, usable_bytes, prot, flags, fd, offset, at); failed != 0) return failed;
  return enter_host(std::move(entry), useless, at, bytes, usable_bytes, (prot & PROT_WRITE) == 0, false);
}

// Admits what Linux has mapped, and enters it as a mapping.
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

// Erases the mapping before it gives the addresses back to Linux, which may reuse them at once.
void mappings::let_go(u64 begin, u64 bytes) {
  on_.let_go(reinterpret_cast<void*>(begin));
  {
    const std::lock_guard hold(lock_);
    all_.erase(begin);
    known_.store(static_cast<u32>(all_.size()), std::memory_order_release);
  }
  ::munmap(reinterpret_cast<void*>(begin), bytes);
}

}  // namespace genesys::detail
