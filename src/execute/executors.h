// SPDX-License-Identifier: Apache-2.0
// Which executor a runtime has. Host, once at its construction.
#pragma once

#include <string>

#include "genesys/runtime.h"

namespace genesys::detail {

struct executor_choice {
  executor_kind kind;  // not any
  std::string said;    // "uring"; "threads (uring: this kernel has no io_uring)"
};

// What was asked for, or else the environment's GENESYS_EXECUTOR, or else threads; where the system lacks it, or the
// policy looks at each call (`looks`) and nobody of the process would see it, the next. `strict`: what nobody sees,
// Linux holds to the same. `refused`: why Linux did not make the rings of `direct`, if it was tried.
// Throws error(bad_option): GENESYS_EXECUTOR is none of them.
executor_choice choose_executor(executor_kind asked, bool looks, bool strict, const std::string& refused);

}  // namespace genesys::detail
