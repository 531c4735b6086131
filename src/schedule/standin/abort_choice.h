// SPDX-License-Identifier: Apache-2.0
// Whether a launch is one that can be aborted and is worth it. Called on the program's thread, before the launch,
// without a lock: the first call for a module reads and compiles its PTX.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/standin/observed_launch.h"
#include "schedule/standin/verdict_on.h"

namespace genesys::schedule::standin {

struct abort_choice {
  const kernel_variant* with = nullptr;  // null: the launch runs as it is
  bool is_idempotent = false;            // otherwise what is in the write set is copied before, and copied back
  std::vector<range> write_set = {};
  std::uint64_t bytes = 0;  // of the write set
};

// `short_run_ns`: what a kernel may run for without being worth an abort. One that was not seen yet is worth it if it
// is idempotent; otherwise its first launch shows how long it runs.
abort_choice choose_abort(const observed_launch& one, std::uint64_t short_run_ns);

// The variant with polls in loops that this launch can run, or null: there is none, which is said once, or the block is
// too large for it.
const kernel_variant* variant_with_polls(const observed_launch& one);

}  // namespace genesys::schedule::standin
