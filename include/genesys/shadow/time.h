// SPDX-License-Identifier: Apache-2.0
// C's <time.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <time.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define asctime_r(...) ::genesys::posix::asctime_r(__VA_ARGS__)
#define clock_getres(...) ::genesys::posix::clock_getres(__VA_ARGS__)
#define clock_gettime(...) ::genesys::posix::clock_gettime(__VA_ARGS__)
#define clock_nanosleep(...) ::genesys::posix::clock_nanosleep(__VA_ARGS__)
#define ctime_r(...) ::genesys::posix::ctime_r(__VA_ARGS__)
#define gmtime_r(...) ::genesys::posix::gmtime_r(__VA_ARGS__)
#define nanosleep(...) ::genesys::posix::nanosleep(__VA_ARGS__)
#define strftime(...) ::genesys::posix::strftime(__VA_ARGS__)
#define timegm(...) ::genesys::posix::timegm(__VA_ARGS__)
using genesys::posix::asctime_r;
using genesys::posix::clock_getres;
using genesys::posix::clock_gettime;
using genesys::posix::clock_nanosleep;
using genesys::posix::ctime_r;
using genesys::posix::difftime;
using genesys::posix::gmtime_r;
using genesys::posix::nanosleep;
using genesys::posix::strftime;
using genesys::posix::time;
using genesys::posix::timegm;
#endif
