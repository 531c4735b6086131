// SPDX-License-Identifier: Apache-2.0
// The verdict on one launch: a kernel's verdict, its arguments, and the memory that they point to. Called before each
// launch, on the thread that launches; it keeps no state.
#pragma once

#include <cstddef>
#include <span>

#include "schedule/classify/verdict.h"

namespace genesys::schedule {

// Memory that a kernel may be given.
struct allocation {
  enum class kind {
    device,
    managed,
    host,     // pinned or mapped: the host sees what a kernel writes, and may change what it reads
    variable  // of a module
  };
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  kind what = kind::device;
};

struct launch {
  std::span<const std::byte> arguments = {};     // as CUDA passes them: each parameter at kernel_verdict's offset
  std::span<const allocation> allocations = {};  // all there are, sorted by base, not overlapping
  bool is_cooperative = false;
  bool has_clusters = false;
};

struct range {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  auto operator<=>(const range&) const = default;
};

struct launch_verdict {
  bool is_idempotent = false;   // it can be aborted and run again as it is
  bool is_preemptible = false;  // it can be aborted, if `write_set` and the symbols are restored unless is_idempotent
  bool is_write_set_known = false;
  std::vector<range> write_set;  // allocations as a whole, sorted
  std::vector<reason> reasons;   // those that the launch adds
};

launch_verdict complete(const kernel_verdict& kernel, const launch& how);

}  // namespace genesys::schedule
