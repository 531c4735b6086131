// SPDX-License-Identifier: Apache-2.0
// Linux itself holds the threads that make calls for kernels to the policy, so that a bug of genesys opens nothing that
// the policy closes: seccomp(2) by the number of the call, landlock(7) by path, kind of file, and receiver of signals.
// Threads that these threads start inherit it.
#pragma once

#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// Confines the calling thread for good. Does nothing under a policy that denies nothing. If Linux lacks one of the two,
// the other still holds. Throws error(system): Linux has one, but refuses it. `rings`: what the thread does with
// io_uring.
enum class ring_access { none, enters, grants_files };
void confine_this_thread(const policy& rules, ring_access rings = ring_access::none);

// What this Linux has of the two: "seccomp and Landlock".
std::string confinement_there();

}  // namespace genesys::detail
