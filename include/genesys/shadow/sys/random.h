// SPDX-License-Identifier: Apache-2.0
// C's <sys/random.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/random.h>
#else
using genesys::posix::getentropy;
using genesys::posix::getrandom;
#endif
