// SPDX-License-Identifier: Apache-2.0
// C's <netinet/in.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <netinet/in.h>
#else
#include <sys/socket.h>
#define in6addr_any (::genesys::posix::in6addr_any())
#define in6addr_loopback (::genesys::posix::in6addr_loopback())
using genesys::posix::htonl;
using genesys::posix::htons;
using genesys::posix::ntohl;
using genesys::posix::ntohs;
#endif
