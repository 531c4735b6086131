// SPDX-License-Identifier: Apache-2.0
// C's <fcntl.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <fcntl.h>
#else
using genesys::posix::creat;
using genesys::posix::fallocate;
using genesys::posix::fcntl;
using genesys::posix::lockf;
using genesys::posix::open;
using genesys::posix::openat;
using genesys::posix::posix_fadvise;
using genesys::posix::posix_fallocate;
#endif
