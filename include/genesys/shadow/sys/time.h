// SPDX-License-Identifier: Apache-2.0
// C's <sys/time.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/time.h>
#else
#include "sys/select.h"
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define gettimeofday(...) ::genesys::posix::gettimeofday(__VA_ARGS__)
using genesys::posix::gettimeofday;
#endif
