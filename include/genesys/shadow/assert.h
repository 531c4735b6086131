// SPDX-License-Identifier: Apache-2.0
// C's <assert.h> for a ported source: a failure prints a message and ends the kernel. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <assert.h>
#else
#undef assert
#ifdef NDEBUG
#define assert(what) ((void)0)
#else
#define assert(what) ((what) ? (void)0 : ::genesys::posix::shadow::assertion_failed(#what, __FILE__, __LINE__))
#endif
#endif
