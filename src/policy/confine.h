// SPDX-License-Identifier: Apache-2.0
// Linux itself holds the threads that make calls for kernels to what the policy says, so that a mistake of ours opens
// nothing that it closed: seccomp(2) by the number of the call, landlock(7) by path, kind of file, and receiver of
// signals. What their threads start inherits it.
#pragma once

#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// For the calling thread, for good. Nothing under a policy that denies nothing. Where the kernel lacks one of the two,
// the other is there still; where it refuses one that it has, throws error(system).
// `rings`: what it has to do with io_uring.
enum class ring_access { none, enters, grants_files };
void confine_this_thread(const policy& rules, ring_access rings = ring_access::none);

// What this kernel has of them: "seccomp and Landlock".
std::string confinement_there();

}  // namespace genesys::detail
