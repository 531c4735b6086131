// SPDX-License-Identifier: Apache-2.0
// C's <libgen.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <libgen.h>
#else
using genesys::posix::basename;
using genesys::posix::dirname;
#endif
