// SPDX-License-Identifier: Apache-2.0
// Chooses the executor of a runtime. The host calls it once, at construction.
#pragma once

#include <stdexcept>
#include <string>

#include "genesys/error.h"
#include "genesys/options.h"

namespace genesys::detail {

// Linux refuses to lock the memory that the rings need; what() says why, in one line.
class rings_refused : public std::runtime_error {
 public:
  rings_refused(executor_kind which, const std::string& why) : std::runtime_error(why), executor(which) {}
  const executor_kind executor;
};
struct refusals {
  std::string direct, uring;  // empty: not tried, or not refused
};

struct executor_choice {
  executor_kind kind;  // not any
  std::string chosen;  // "uring"; "threads (uring: this kernel has no io_uring)"
};

// The executor that was asked for, or else the environment's GENESYS_EXECUTOR, or else `threads`. If the system lacks
// it, the next: `uring` for `direct`, `threads` for `uring`. The same holds for `direct` if the policy looks at each
// call (`looks`), because no thread sees what kernels submit; but not if `strict`, because then Linux restricts the
// rings. What was `refused` is not tried again. Throws error(bad_option): GENESYS_EXECUTOR is none of them.
executor_choice choose_executor(executor_kind asked, bool looks, bool strict, const refusals& refused);

}  // namespace genesys::detail
