// SPDX-License-Identifier: Apache-2.0
// C's <sys/stat.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <sys/stat.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define fstat(...) ::genesys::posix::fstat(__VA_ARGS__)
#define fstatat(...) ::genesys::posix::fstatat(__VA_ARGS__)
#define futimens(...) ::genesys::posix::futimens(__VA_ARGS__)
#define lstat(...) ::genesys::posix::lstat(__VA_ARGS__)
#define stat(...) ::genesys::posix::stat(__VA_ARGS__)
#define utimensat(...) ::genesys::posix::utimensat(__VA_ARGS__)
using genesys::posix::chmod;
using genesys::posix::fchmod;
using genesys::posix::fchmodat;
using genesys::posix::fstat;
using genesys::posix::fstatat;
using genesys::posix::futimens;
using genesys::posix::lstat;
using genesys::posix::mkdir;
using genesys::posix::mkdirat;
using genesys::posix::mkfifo;
using genesys::posix::mkfifoat;
using genesys::posix::stat;
using genesys::posix::umask;
using genesys::posix::utimensat;
#endif
