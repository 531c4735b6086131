// SPDX-License-Identifier: Apache-2.0
// C's <poll.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <poll.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define poll(...) ::genesys::posix::poll(__VA_ARGS__)
using genesys::posix::poll;
#endif
