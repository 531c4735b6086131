// SPDX-License-Identifier: Apache-2.0
// Whether a call would wait for its descriptor, so that it had better be parked. Asked by the executor, on a worker.
#pragma once

#include "genesys/detail/plan.h"
#include "genesys/detail/protocol.h"

namespace genesys::detail {

// Whether the call, made now, would wait until its descriptor is ready. Linux answers the call itself if the descriptor
// is bad, or never waits.
bool would_wait(const call_plan& plan, const u64 (&args)[args_max]);

// A receive that can be made without waiting: then nobody can take away, between a look and the call, what it is for.
// `args` of such a call are changed accordingly, and `waits_after` says of its -EAGAIN whether it would have waited.
bool make_unwaiting(const call_plan& plan, u64 (&args)[args_max]);
bool waits_after(const call_plan& plan, const u64 (&args)[args_max]);

}  // namespace genesys::detail
