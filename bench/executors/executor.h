// SPDX-License-Identifier: Apache-2.0
// The side of genesys: a runtime of one executor, and kernels whose blocks are the callers. The bench's main thread
// launches them.
#pragma once

#include <cstdint>
#include <vector>

#include "executors/work.h"
#include "genesys/genesys.h"
#include "support/executor_runtime.h"
#include "support/measure.h"

namespace executors {

constexpr unsigned callers_max = 1024;

// The runtime's memory has a page for each caller.
class executor : public baseline::executor_runtime {
 public:
  executor(const measure::bench& all, genesys::executor_kind which);

  // The number of calls that each caller made in `ns`. For page_reads and record_writes.
  template <class Work>
  std::vector<unsigned> operator()(Work work, u64 ns);

  // The times of some short calls, in microseconds, while the callers work; of as many as fit into the time.
  template <class Work>
  measure::numbers calls_beside_us(Work work, u64 ns);
};

}  // namespace executors
