// SPDX-License-Identifier: Apache-2.0
// The CPU version: the same source as the kernel (worker.h), where each OpenMP thread is a team of one, and makes the
// same calls of Linux itself.
#pragma once

#include "worker.h"

namespace wordcount {

// `threads`: 0: as many as there are processors.
void count_by_openmp(const words& wanted, const work& all, unsigned threads);
// Makes the same calls, and counts nothing: what Linux and the memory need for them.
void only_read(const words& wanted, const work& all, unsigned threads);
// Finds the words' beginnings by vector instructions (AVX2), 32 bytes at a time. False: the processor has none.
bool count_by_vectors(const words& wanted, const work& all, unsigned threads);

}  // namespace wordcount
