// SPDX-License-Identifier: Apache-2.0
// C's <getopt.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <getopt.h>
#else
// C's variables of these names, which each thread has for itself.
#define optarg (::genesys::posix::shadow::options().optarg)
#define opterr (::genesys::posix::shadow::options().opterr)
#define optind (::genesys::posix::shadow::options().optind)
#define optopt (::genesys::posix::shadow::options().optopt)
// A qualified call: `struct option` is the host's, for which C++ would also find the host's function.
#define getopt_long(...) ::genesys::posix::shadow::getopt_long(__VA_ARGS__)
using genesys::posix::shadow::getopt;
#endif
