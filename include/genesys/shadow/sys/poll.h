// SPDX-License-Identifier: Apache-2.0
// C's <sys/poll.h> for a ported source, which is <poll.h>. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/poll.h>
#else
#include <poll.h>
#endif
