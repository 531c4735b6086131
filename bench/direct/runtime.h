// SPDX-License-Identifier: Apache-2.0
// The side of genesys: a runtime of one executor, and kernels whose threads are the callers. The bench's main thread
// launches them.
#pragma once

#include <cstdint>

#include "direct/work.h"
#include "genesys/genesys.h"
#include "support/executor_runtime.h"
#include "support/measure.h"

namespace direct {

constexpr unsigned ahead_max = 32;

class runtime : public baseline::executor_runtime {
 public:
  runtime(const measure::bench& all, genesys::executor_kind which, unsigned rings = 0);

  // The number of calls that the work's callers made in `ns`. For reads, nops and datagrams.
  template <class Work>
  double calls(Work work, u64 ns);
  // The same by one thread with `ahead` calls in flight, at most ahead_max.
  double calls_ahead(reads work, unsigned ahead, u64 ns);
  // The time of each of one thread's reads, in microseconds.
  measure::numbers times_of(reads work, unsigned count);
  // One receive of a byte by each of `count` threads. wrong() counts wrong results.
  genesys::run begin_receives(int fd, unsigned count);
};

}  // namespace direct
