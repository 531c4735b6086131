// SPDX-License-Identifier: Apache-2.0
// C's <arpa/inet.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <arpa/inet.h>
#else
#include "netinet/in.h"
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define inet_aton(...) ::genesys::posix::inet_aton(__VA_ARGS__)
#define inet_ntop(...) ::genesys::posix::inet_ntop(__VA_ARGS__)
#define inet_pton(...) ::genesys::posix::inet_pton(__VA_ARGS__)
using genesys::posix::inet_addr;
using genesys::posix::inet_aton;
using genesys::posix::inet_ntop;
using genesys::posix::inet_pton;
#endif
