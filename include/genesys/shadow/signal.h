// SPDX-License-Identifier: Apache-2.0
// C's <signal.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <signal.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define sigaddset(...) ::genesys::posix::sigaddset(__VA_ARGS__)
#define sigdelset(...) ::genesys::posix::sigdelset(__VA_ARGS__)
#define sigemptyset(...) ::genesys::posix::sigemptyset(__VA_ARGS__)
#define sigfillset(...) ::genesys::posix::sigfillset(__VA_ARGS__)
#define sigismember(...) ::genesys::posix::sigismember(__VA_ARGS__)
#define sigqueue(...) ::genesys::posix::sigqueue(__VA_ARGS__)
using genesys::posix::kill;
using genesys::posix::raise;
using genesys::posix::sigaddset;
using genesys::posix::sigdelset;
using genesys::posix::sigemptyset;
using genesys::posix::sigfillset;
using genesys::posix::sigismember;
using genesys::posix::sigqueue;
#endif
