// SPDX-License-Identifier: Apache-2.0
// The executor `direct` on the host: the io_uring(7) rings that kernels fill themselves (genesys/detail/uring/submit.h,
// docs/direct.md). This class makes the rings, wakes their SQPOLL threads and cancels calls in flight; no other host
// code takes part in such a call.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "genesys/detail/wire/shared_rings.h"
#include "policy/descriptors.h"
#include "policy/policy.h"
#include "target/device.h"

namespace genesys::detail {

// Posted calls that completed.
struct posted_calls {
  u64 all = 0, failed = 0, canceled = 0;
};

class shared_rings {
 public:
  struct shape {
    u32 rings, sq_entries, cq_entries;  // the last two of each ring: powers of two
    u32 completion_slots;               // how many calls can be waited for at once,
    u32 ticket_slots;                   // and how many of them are tickets
    u64 arena_begin, arena_end;         // memory that kernels and Linux both address
    // Not null: profile `strict`. Linux restricts the rings (IORING_REGISTER_RESTRICTIONS) to reads, writes and fsync
    // that the policy allows, on files that grant() registered and on the arena.
    const policy* strict = nullptr;
  };
  // Throws error, rings_refused.
  shared_rings(device& on, const shape& as);
  // No kernel that may call still runs, unless leak() was called: then all memory that it may use stays.
  ~shared_rings();
  shared_rings(const shared_rings&) = delete;
  shared_rings& operator=(const shared_rings&) = delete;

  // Why this system has no shared rings; empty: it has them.
  static std::string why_not();

  // Profile `strict`: kernels may use the descriptor in the rings, from grant() to revoke(). Any thread.
  bool is_strict() const { return as_.strict; }
  bool grant(int fd);
  void revoke(u64 fd);

  // For the device contexts of runs.
  shared_ring_table* table() const { return table_; }
  shared_ring_shape as() const { return as_; }
  // Whether kernels tell the host of each call, for a recording. One thread at a time.
  void record(bool on) const;
  // Wakes the SQPOLL threads: kernels are about to call. Any thread.
  void wake();
  // The monitor calls this. Wakes SQPOLL threads that sleep although SQEs wait, extends Linux's 32-bit counters before
  // they wrap, and checks them: if they make no sense, a kernel has overwritten them, and all rings are lost. A line on
  // stderr says so, calls in flight complete with -EIO, and later calls go to the executor threads.
  // Returns when to call it again. `put_off` says how long a look may be put off after a silence, in nanoseconds.
  u64 look(u64 now, const std::function<u64(u64)>& put_off);

  // Refuses new calls, and cancels waiting ones with -ECANCELED where Linux can. The core repeats it until the kernels
  // have ended, because a kernel may submit a call after the first time.
  void end();
  void leak() { leaked_ = true; }

  u32 size() const { return static_cast<u32>(rings_.size()); }
  // Of a run whose kernels have ended: whether its posted calls completed, or can no longer complete. One thread at a
  // time for a run.
  bool are_finished(u32 run);
  // The posted calls that completed since the last time. Calls that are_finished() does not know count as canceled. The
  // same thread.
  posted_calls posted_since(u32 run);

  u64 calls_so_far() const;  // SQEs that Linux consumed, of all rings
  u32 under_way() const;     // without a CQE; 0 if the rings are lost

 private:
  struct ring {
    own_descriptor fd;
    shared_ring shared;
    const u32 *flags, *overflow;
    std::atomic<u64> read{0};  // SQEs that Linux consumed, as look() saw it
    // For look(): its last time here, its last time with new SQEs, and until when the SQPOLL thread cannot sleep.
    u64 looked_ns = 0, moved_ns = 0, awake_until_ns = 0;
    u32 tail = 0;
  };
  void open(ring& one, unsigned char* memory, const shape& as);
  void look_at(ring& one, u64 now);
  void restrict_and_enable(const ring& one, const shape& as);
  bool set_file(int number, int fd);
  void close();
  posted_counters look_at_posted(u32 run) const;
  static bool is_overwritten(const ring& one, u32 sq_entries, u32 cq_entries);
  void cancel() const;

  device& on_;
  void* memory_ = nullptr;  // of all rings
  std::size_t bytes_ = 0;
  bool admitted_ = false, leaked_ = false;
  std::atomic<bool> closed_{false}, lost_{false};
  std::atomic<u64> woken_ns_{0};                             // when wake() was called last
  u32 files_max_ = 0;                                        // profile strict: descriptors below it can be granted,
  descriptor_set granted_;                                   // and these are
  std::vector<posted_counters> posted_known_, posted_returned_;  // by run: at the last full count; as last returned
  std::vector<ring> rings_;
  shared_ring_shape as_;
  shared_ring_table* table_ = nullptr;  // device memory; results, filled marks and posted counters follow it
  posted_counters* posted_ = nullptr;
};

}  // namespace genesys::detail
