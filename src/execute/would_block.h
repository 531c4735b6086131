// SPDX-License-Identifier: Apache-2.0
// Whether a call would wait for its descriptor, so that it had better be parked. Asked by the executor, on a worker.
#pragma once

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Whether the call, made now, would wait until its descriptor is ready. Linux answers the call itself if the descriptor
// is bad, or never waits.
bool would_wait(const call_plan& plan, const u64 (&args)[args_max]);

// Whether calls on the descriptor wait, as far as the open file says (O_NONBLOCK).
bool is_blocking(int fd);

// Whether nothing can come any more to a socket's reader. A datagram socket answers -EAGAIN then to one who does not
// want to wait, and its end to one who does, at once.
bool is_shut_down(int fd);

// The flag that makes this call, a receive, answer -EAGAIN instead of waiting; 0: there is none. A receive had better
// be tried than looked at and then made: in between another may take away what it is for.
u32 flag_not_to_wait(const call_plan& plan, const u64 (&args)[args_max]);

}  // namespace genesys::detail
