// SPDX-License-Identifier: Apache-2.0
#include "execute/executor_choice.h"

#include <cstdlib>

#include "execute/shared_rings.h"
#include "execute/worker_ring.h"
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
  if (text == "direct") return executor_kind::direct;
  throw error(error_code::bad_option, "GENESYS_EXECUTOR is '" + text + "'; it may be 'threads', 'uring' or 'direct'");
}

}  // namespace

executor_choice choose_executor(executor_kind asked, bool looks, bool strict, const refusals& refused) {
  executor_kind wanted = asked_for(asked);
  std::string instead_of;
  if (wanted == executor_kind::direct) {
    const std::string lacking = !refused.direct.empty() ? refused.direct
                                : looks && !strict      ? "the policy looks at each call"
                                                        : shared_rings::why_not();
    if (lacking.empty()) return {executor_kind::direct, "direct"};
    instead_of = " (direct: " + lacking + ")";
    wanted = executor_kind::uring;
  }
  if (wanted == executor_kind::uring) {
    const std::string lacking = !refused.uring.empty() ? refused.uring : worker_ring::why_not();
    if (lacking.empty()) return {executor_kind::uring, "uring" + instead_of};
    instead_of += " (uring: " + lacking + ")";
  }
  return {executor_kind::threads, "threads" + instead_of};
}

}  // namespace genesys::detail
