// SPDX-License-Identifier: Apache-2.0
// C's <sys/mman.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/mman.h>
#else
using genesys::posix::madvise;
using genesys::posix::msync;
using genesys::posix::munmap;
using genesys::posix::posix_madvise;
using genesys::posix::shadow::mmap;
#endif
