// SPDX-License-Identifier: Apache-2.0
// Memory that kernels map for themselves: what mmap, munmap, madvise, shmat and shmdt mean here (docs/memory.md), which
// mappings there are, and when their memory is given back. The core owns it. Workers call it, any number at once; it
// trusts no argument. The mappings belong to the runtime: they outlive the kernel and its run.
#pragma once

#include <atomic>
#include <cerrno>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "memory/layout.h"
#include "memory/pieces.h"
#include "memory/quarantine.h"

namespace genesys::detail {

class mappings {
 public:
  mappings(device& on, const layout& memory, const options& chosen);
  ~mappings();  // ends all of them
  mappings(const mappings&) = delete;
  mappings& operator=(const mappings&) = delete;

  // Makes a call whose plan says `mappings`, for a running kernel. Returns Linux's result, or what Linux would return.
  i64 call(u32 number, const u64 (&args)[6]);

  // What an address is, if it lies in a mapping or in addresses of an earlier one. Then the device must not be asked.
  std::optional<address_info> at(u64 address) const;

  // Gives back what could not be given back while a kernel ran. No run may be in flight.
  void settle();
  // Ends all mappings. No kernel may use them from now on.
  void end();
  // Leaves all mappings as they are, because a kernel may still use them.
  void leak() { leaked_.store(true, std::memory_order_relaxed); }

  // The current epoch of what kernels know about addresses (detail/wire/known_addresses.h). begin_epoch() starts the
  // next one while no run is attached.
  u32 epoch() const { return epoch_.load(std::memory_order_relaxed); }
  void begin_epoch();

  struct counts {
    u64 device_bytes = 0, host_bytes = 0, quarantined_bytes = 0;
  };
  counts counted() const;

 private:
  struct mapping {
    u64 begin = 0, bytes = 0;  // addresses
    u64 usable_bytes = 0;      // host: how far the memory goes
    bool given_up = false;     // host: in quarantine
    bool attached = false;     // host: by shmat
    bool is_device = false;
    bool lost = false;    // device: its addresses must not be used again
    pieces parts;         // device
    std::mutex changing;  // device: one change of `parts` at a time
  };
  using mapping_ptr = std::shared_ptr<mapping>;
  using by_address = std::map<u64, mapping_ptr>;

  // Memory for one more entry of all_, taken before anything is mapped.
  static by_address::node_type fresh_entry();
  void enter(by_address::node_type entry);

  i64 map(const u64 (&args)[6]);
  template <class F>
  i64 within_limit(u64 bytes, F make);
  void arrived(u64 bytes);
  i64 map_device(u64 length);
  i64 map_host(u64 length, u64 prot, u64 flags, int fd, u64 offset);
  i64 enter_host(by_address::node_type entry, std::list<quarantine::held>& useless, void* at, u64 bytes,
                 u64 usable_bytes, bool read_only, bool attached);
  i64 attach(const u64 (&args)[6]);
  i64 attach(int segment, int flags, u64 bytes);
  i64 detach(u64 address);
  i64 unmap(u64 begin, u64 length);
  i64 unmap_host(u64 begin, u64 bytes);
  i64 advise(u64 begin, u64 length, int advice);
  i64 advise_device(mapping& m, u64 begin, u64 bytes, int advice);
  i64 give_back(mapping& m, u64 begin, u64 bytes, piece_state becomes);
  i64 fill_gaps(mapping& m, u64 begin, u64 bytes);
  i64 fill(mapping& m, const std::vector<address_run>& gaps, u64 bytes);
  // Starts a new epoch, also for running kernels: what they know about addresses is out of date.
  int renew_epoch();
  mapping_ptr find(u64 address) const;
  u64 take_addresses(u64 bytes, u64& reserved);
  void keep_addresses(u64 bytes, u64 begin);
  void let_go(u64 begin, u64 bytes);

  mapper& on_;
  const u64 bytes_max_;    // 0: no limit
  u32* const epoch_word_;  // device memory
  std::mutex epoch_lock_;
  std::atomic<u32> epoch_{0};
  std::atomic<bool> leaked_{false};

  mutable std::shared_mutex lock_;          // guards all below; never held during calls to the device
  by_address all_;                          // by first address; includes free device addresses
  std::multimap<u64, u64> free_addresses_;  // device addresses: {bytes, first address}
  quarantine quarantine_;
  counts counts_;
  u64 coming_bytes_ = 0;       // of mappings that are not entered yet
  std::atomic<u32> known_{0};  // entries of all_
};

// Several workers may map at once. So the bytes of unfinished mappings count, too, until arrived().
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

}  // namespace genesys::detail
