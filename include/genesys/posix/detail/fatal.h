// SPDX-License-Identifier: Apache-2.0
// How the C library ends a kernel that cannot go on. Any thread.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "genesys/kernel.h"

namespace genesys::detail::libc {

// Prints why, and ends the kernel: as a failed launch on a GPU, and with the program on the CPU device.
GENESYS_KERNEL_OUTLINE inline void end_kernel(const char* why) {
#if GENESYS_ON_CUDA
  ::printf("genesys: block %u: %s\n", block_rank(), why);
  __trap();
#else
  std::fprintf(stderr, "genesys: block %u: %s\n", block_rank(), why);
  std::abort();
#endif
}

}  // namespace genesys::detail::libc
