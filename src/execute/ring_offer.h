// SPDX-License-Identifier: Apache-2.0
// Decides whether a worker makes a call itself or its worker ring does (executor `uring`). Called by the executor.
#pragma once

#include <optional>

#include "execute/result.h"
#include "execute/worker_ring.h"
#include "genesys/detail/table/call_plan.h"

namespace genesys::detail {

// Reads at `position`, or at the descriptor's own position (-1), only what is there already (RWF_NOWAIT).
i64 read_without_wait(const u64 (&args)[args_max], u64 position);

// Makes the call without waiting, or gives it to the ring. Nothing: the worker makes it itself.
std::optional<result> offer(worker_ring& in, const request& r, const call_plan& plan, const u64 (&args)[args_max]);

}  // namespace genesys::detail
