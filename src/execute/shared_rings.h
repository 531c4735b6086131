// SPDX-License-Identifier: Apache-2.0
// The executor `direct` on the host: the io_uring(7) rings that kernels fill themselves (genesys/detail/uring/submit.h,
// docs/direct.md). They are made here, their threads in Linux woken, and what is under way in them cancelled; nothing
// else of the process has to do with a call.
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

// Posted calls that have finished.
struct posted_calls {
  u64 all = 0, failed = 0, canceled = 0;
};

class shared_rings {
 public:
  struct shape {
    u32 rings, entries, completions;  // the last two of each ring: powers of two
    u32 completion_slots;             // of calls that are waited for at once
    u64 arena_begin, arena_end;       // what kernels and Linux both address
    // If there is one: profile `strict`. Linux holds the rings to what it allows of reads, writes and fsync, of files
    // that lend() names and of the arena, by IORING_REGISTER_RESTRICTIONS.
    const policy* strict = nullptr;
  };
  // Throws error, rings_refused.
  shared_rings(device& on, const shape& as);
  // No kernel runs that may call, unless leak() was called: then all that it may use stays.
  ~shared_rings();
  shared_rings(const shared_rings&) = delete;
  shared_rings& operator=(const shared_rings&) = delete;

  // Why there are none on this system; empty: there are.
  static std::string why_not();

  // Profile `strict`: kernels may name the file by its number, until it is taken back. Any thread.
  bool is_strict() const { return as_.strict; }
  bool grant(int fd);
  void revoke(u64 fd);

  // For the areas of runs.
  shared_ring_table* table() const { return table_; }
  shared_ring_shape as() const { return as_; }
  // Wakes Linux's threads: kernels are about to call. Any thread.
  void wake();
  // Wakes those that sleep though there is something to do: the watcher's, which also sees to it that Linux's counts of
  // 32 bits are not lapped; and that they make sense: if not, somebody has written over them, and all rings are lost,
  // as stderr says. Calls go to threads from then on, and who waits hears -EIO.
  // When it is to be called again: `put_off` says how long a look may be put off after a silence, in nanoseconds.
  u64 look(u64 now, const std::function<u64(u64)>& put_off);

  // No more calls this way; what waits ends with -ECANCELED where Linux can still stop it. Again and again, until the
  // kernels have ended: some may have been on their way.
  void end();
  void leak() { leaked_ = true; }

  u32 size() const { return static_cast<u32>(rings_.size()); }
  // Of a run whose kernels have ended: whether its posted calls have, or cannot any more. By one thread for a run.
  bool are_finished(u32 run);
  // What has become of them since it was asked last; of those of which are_finished() does not know, that they were not
  // made. The same thread.
  posted_calls posted_since(u32 run);

  u64 calls_so_far() const;  // that Linux has read, of all rings
  u32 under_way() const;     // that have no completion yet; 0 if the rings are lost

 private:
  struct ring {
    own_descriptor fd;
    shared_ring shared;
    const u32 *flags, *overflow;
    std::atomic<u64> read{0};  // entries that Linux has read, as look() saw it
    // look()'s: when it came here, when it saw that there were new entries, until when Linux's thread cannot sleep.
    u64 looked_ns = 0, moved_ns = 0, awake_until_ns = 0;
    u32 tail = 0;
  };
  void open(ring& one, unsigned char* memory, const shape& as);
  void look_at(ring& one, u64 now);
  void restrict_and_enable(const ring& one, const shape& as);
  bool set_file(int number, int fd);
  void close();
  posted_counters look_at_posted(u32 run) const;
  static bool is_spoiled(const ring& one, u32 entries, u32 completions);
  void cancel() const;

  device& on_;
  void* memory_ = nullptr;  // of all rings
  std::size_t bytes_ = 0;
  bool admitted_ = false, leaked_ = false;
  std::atomic<bool> closed_{false}, lost_{false};
  std::atomic<u64> woken_ns_{0};                             // when kernels were announced last
  u32 files_max_ = 0;                                        // profile strict: numbers below it can be lent,
  descriptor_set granted_;                                   // and these are
  std::vector<posted_counters> posted_known_, posted_told_;  // by run: when last all were finished, and as was said
  std::vector<ring> rings_;
  shared_ring_shape as_;
  shared_ring_table* table_ =
      nullptr;  // device memory, with the answers behind it, what is written, and what was posted
  posted_counters* posted_ = nullptr;
};

}  // namespace genesys::detail
