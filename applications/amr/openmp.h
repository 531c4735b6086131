// SPDX-License-Identifier: Apache-2.0
// The CPU version: the same source as the kernel (simulate.h), where each OpenMP thread is a block of one thread, and
// makes the same calls of Linux itself.
#pragma once

#include "simulate.h"

namespace amr {

// Threads for all processors. `limit`: bytes that are mapped at most; 0: no limit. `with_vectors`: the points inside a
// leaf are computed by vector instructions, the widest that the processor has.
void simulate_by_openmp(const task& t, u64 limit, bool with_vectors);

}  // namespace amr
