// SPDX-License-Identifier: Apache-2.0
// C's <fnmatch.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <fnmatch.h>
#else
using genesys::posix::fnmatch;
#endif
