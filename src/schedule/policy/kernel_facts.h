// SPDX-License-Identifier: Apache-2.0
// What the policy knows of a kernel when an instance of it is submitted: the verdict of the classifier and the
// estimates that the driver of the policy has learnt. Times are in nanoseconds of one monotonic clock, which the driver
// chooses. Values only.
#pragma once

#include <cstdint>
#include <limits>

namespace genesys::schedule {

using time_ns = std::uint64_t;
using task_id = std::uint32_t;
using kernel_id = std::uint32_t;
using instance_id = std::uint64_t;  // one launch of a kernel that a program asked for; never used again

constexpr time_ns never = std::numeric_limits<time_ns>::max();

// As nice(2): a lower value is more important. The emergency class is never preempted and takes no snapshots.
constexpr int nice_emergency = -20, nice_most = -19, nice_least = 19;

// Estimates. 0: not known; the policy then does not choose what depends on it.
struct kernel_times {
  time_ns run = 0;    // of an undisturbed launch
  time_ns block = 0;  // of a block, at most: after that time resident blocks have left the GPU
  time_ns abort = 0;  // from the abort until the last block has left
};

struct kernel_facts {
  kernel_id kernel = 0;  // statistics are kept by this number
  // Running it again after an abort gives the same result without a roll-back.
  bool idempotent = false;
  // The kernel polls the abort flag, and may be run again. Never for system calls, cooperative launches, clusters.
  bool abortable = false;
  // The kernels of more important tasks run beside it, at once or soon, as far as they are known. It is not abortable.
  bool leaves_space = false;
  std::uint64_t snapshot_bytes = 0;  // of its write set
  kernel_times times{};
};

}  // namespace genesys::schedule
