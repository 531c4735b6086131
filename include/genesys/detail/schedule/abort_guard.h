// SPDX-License-Identifier: Apache-2.0
// The polls of a kernel that may be aborted (B1 to B5, detail/wire/abort.h). Each must_leave function that returns true
// has counted the thread: the thread then returns from the kernel at once.
//
//   lone_guard     kernels without barriers and warp-synchronous steps: each thread decides alone
//   voting_guard   kernels with sync_block(): the block decides together; must_leave_at_barrier() replaces each
//                  sync_block()
//
//   voting_guard guard(abort);
//   if (guard.must_leave_at_entry()) return;
//   for (...) {
//     guard.prefetch();
//     ...
//     if (guard.must_leave_at_barrier()) return;
//   }
#pragma once

#include "genesys/detail/wire/abort.h"
#include "genesys/kernel.h"

namespace genesys::detail::aborts {

// What both guards do. A thread owns it.
class guard_base {
 public:
  // Loads the flag, to be tested later. Any thread may call it, alone.
  GENESYS_KERNEL void prefetch() { seen_ = load(); }

 protected:
  GENESYS_KERNEL explicit guard_base(const launch_context& a) : a_(a) {
    static_assert(sizeof(flag_line) % sizeof(u32) == 0);
    flag_ = a.flags + (block_rank() & a.replicas_mask) * (sizeof(flag_line) / sizeof(u32));
  }

  // Relaxed: the decision needs no data of the raiser. A GPU's relaxed load of device scope does not use L1, so it sees
  // each flag that was acknowledged before it (A7).
  GENESYS_KERNEL u32 load() const { return global_atomic<u32>(*flag_).load(std::memory_order_relaxed); }
  GENESYS_KERNEL bool seen() const { return seen_ == a_.epoch; }

  // B1. Also leaves what it has loaded for later tests.
  GENESYS_KERNEL bool stopped_at_entry() {
    prefetch();
    // Relaxed: a thread of an earlier launch of this stream stored it, so the start of this launch orders it (A5).
    return seen() || (a_.ahead != 0 && global_atomic<u32>(*a_.latch).load(std::memory_order_relaxed) == a_.chain);
  }

  // B5. The end of the launch orders both for the host and for the next launch.
  GENESYS_KERNEL void count(bool at_entry) const {
    leave_counts& mine = a_.counts[block_rank() % count_replicas];
    global_atomic<u64>(at_entry ? mine.left_at_entry : mine.left_later).fetch_add(1, std::memory_order_relaxed);
    const global_atomic<u32> latch(*a_.latch);
    if (latch.load(std::memory_order_relaxed) != a_.chain) latch.store(a_.chain, std::memory_order_relaxed);
  }

 private:
  const launch_context a_;
  u32* flag_;
  u32 seen_ = 0;
};

// Any thread may call each method, alone.
class lone_guard : public guard_base {
 public:
  GENESYS_KERNEL explicit lone_guard(const launch_context& a) : guard_base(a) {}

  // Before the thread's first store.
  GENESYS_KERNEL bool must_leave_at_entry() { return leave_if(stopped_at_entry(), true); }
  // Tests what prefetch() has loaded.
  GENESYS_KERNEL bool must_leave() const { return leave_if(seen(), false); }

 private:
  GENESYS_KERNEL bool leave_if(bool raised, bool at_entry) const {
    if (raised) count(at_entry);
    return raised;
  }
};

class voting_guard : public guard_base {
 public:
  GENESYS_KERNEL explicit voting_guard(const launch_context& a) : guard_base(a) {}

  // Before the block's first store. All threads of the block must call it. It is a barrier.
  GENESYS_KERNEL bool must_leave_at_entry() { return vote(stopped_at_entry(), true); }
  // Instead of sync_block(). All threads of the block that have not left must call it.
  GENESYS_KERNEL bool must_leave_at_barrier() const { return vote(seen(), false); }
  // Between two barriers; any thread may call it, alone. A thread that must leave waits for the others at their next
  // barrier, so that all leave there; so no other thread may wait for this one in any other way.
  GENESYS_KERNEL bool must_leave() const {
    if (!seen()) return false;
    return vote(true, false);
  }

 private:
  GENESYS_KERNEL bool vote(bool raised, bool at_entry) const {
#if GENESYS_ON_CUDA
    const bool leaves = cuda_target::any_in_block(raised);  // lanes of a warp vote at different places
#else
    const bool leaves = sync_block_count(raised) != 0;
#endif
    if (leaves) count(at_entry);
    return leaves;
  }
};

}  // namespace genesys::detail::aborts
