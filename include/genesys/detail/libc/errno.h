// SPDX-License-Identifier: Apache-2.0
// errno of each thread. In a kernel it is an int in shared memory, one for each thread of the block; elsewhere it is
// the C library's.
#pragma once

#include <errno.h>

#include "genesys/kernel.h"

namespace genesys::detail::libc {

struct errno_tag {};

/// The calling thread's errno. In a kernel it has no value before it is set.
GENESYS_KERNEL int& error_number() {
#if !GENESYS_ON_CUDA
  if (!cpu::inside_kernel()) return errno;
#endif
  constexpr unsigned threads_max = 1024;
  return shared<int[threads_max], errno_tag>()[thread_rank()];
}

GENESYS_KERNEL void set_errno(int number) { error_number() = number; }

}  // namespace genesys::detail::libc
