// SPDX-License-Identifier: Apache-2.0
// Whether a call would wait for its descriptor. The worker then parks it. The executor calls this on a worker.
#pragma once

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Whether the call, made now, would wait until its descriptor is ready. False if the descriptor is bad, or never waits:
// Linux then completes the call at once.
bool would_wait(const call_plan& plan, const u64 (&args)[args_max]);

// Whether calls on the descriptor wait, as far as the open file says (O_NONBLOCK).
bool is_blocking(int fd);

// Whether a socket's reader can get nothing more. A receive without waiting on such a datagram socket gives -EAGAIN.
// One that may wait gives the end of the data, at once.
bool is_shut_down(int fd);

// How long a call on this socket waits at most until it is ready to receive or, if `receives` is false, to send, as
// SO_RCVTIMEO or SO_SNDTIMEO says (socket(7)); then it is made without waiting. In nanoseconds; 0: without limit, or no
// socket. (Of a negative timeout, with which Linux does not wait, getsockopt(2) says that there is none.)
u64 wait_limit_ns(int fd, bool receives);

// The flag that makes this call, a receive, give -EAGAIN instead of waiting; 0: there is none. To try is better than to
// look first: another thread may take the data in between.
u32 flag_not_to_wait(const call_plan& plan, const u64 (&args)[args_max]);

}  // namespace genesys::detail
