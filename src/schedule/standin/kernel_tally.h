// SPDX-License-Identifier: Apache-2.0
// What each kernel of the program has done so far, by its name, for `genesys schedule top`. Any thread may call it. A
// tally is never destroyed, so it may be counted in while a module is unloaded.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "schedule/daemon/kernel_report.h"
#include "schedule/standin/driver_api.h"

namespace genesys::schedule::standin {

struct kernel_tally {
  std::atomic<std::uint64_t> launches{0};  // one that was aborted is launched again, and counts twice
  std::atomic<std::uint64_t> aborts{0};
  std::atomic<std::uint64_t> wasted_ns{0};  // of the launches that were aborted

  void count_launch() { launches.fetch_add(1, std::memory_order_relaxed); }
  void count_abort(std::uint64_t ran_ns) {
    aborts.fetch_add(1, std::memory_order_relaxed);
    wasted_ns.fetch_add(ran_ns, std::memory_order_relaxed);
  }
};

// Kernels of one name in several modules share it.
kernel_tally& tally_of(const std::string& name);
// Of what the program launches. Each thread remembers the last ones, so this mostly takes no lock.
kernel_tally& tally_of(CUfunction function);

// Of all kernels that were launched, by the names of their sources.
std::vector<processes::kernel_report> kernel_reports();

}  // namespace genesys::schedule::standin
