// SPDX-License-Identifier: Apache-2.0
#include "execute/executors.h"

#include <cstdlib>

#include "execute/ring.h"
#include "genesys/error.h"

namespace genesys::detail {
namespace {

executor_kind asked_for(executor_kind asked) {
  if (asked != executor_kind::any) return asked;
  const char* name = std::getenv("GENESYS_EXECUTOR");
  if (name == nullptr || *name == 0) return executor_kind::threads;
  const std::string text = name;
  if (text == "threads") return executor_kind::threads;
  if (text == "uring") return executor_kind::uring;
  throw error(error_code::bad_option, "GENESYS_EXECUTOR is '" + text + "'; it may be 'threads' or 'uring'");
}

}  // namespace

executor_choice choose_executor(executor_kind asked) {
  if (asked_for(asked) != executor_kind::uring) return {executor_kind::threads, "threads"};
  const std::string lacking = ring::why_not();
  if (!lacking.empty()) return {executor_kind::threads, "threads (uring: " + lacking + ")"};
  return {executor_kind::uring, "uring"};
}

}  // namespace genesys::detail
