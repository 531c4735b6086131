// SPDX-License-Identifier: Apache-2.0
// Which executor a runtime has. Host, once at its construction.
#pragma once

#include <stdexcept>
#include <string>

#include "genesys/error.h"
#include "genesys/options.h"

namespace genesys::detail {

// Linux would lock no more memory for rings, as that takes: why, in one line.
class rings_refused : public std::runtime_error {
 public:
  rings_refused(executor_kind which, const std::string& why) : std::runtime_error(why), executor(which) {}
  const executor_kind executor;
};
struct refusals {
  std::string direct, uring;  // empty: not tried, or not refused
};

struct executor_choice {
  executor_kind kind;    // not any
  std::string returned;  // "uring"; "threads (uring: this kernel has no io_uring)"
};

// What was asked for, or else the environment's GENESYS_EXECUTOR, or else threads; where the system lacks it, or the
// policy looks at each call (`looks`) and nobody of the process would see it, the next. `strict`: what nobody sees,
// Linux holds to the same. What was `refused` is not tried again.
// Throws error(bad_option): GENESYS_EXECUTOR is none of them.
executor_choice choose_executor(executor_kind asked, bool looks, bool strict, const refusals& refused);

}  // namespace genesys::detail
