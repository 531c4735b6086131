// SPDX-License-Identifier: Apache-2.0
// C's <dirent.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <dirent.h>
#else
// Qualified calls: their arguments are of the host's types, for which C++ would also find the host's functions.
#define alphasort(...) ::genesys::posix::alphasort(__VA_ARGS__)
#define scandir(...) ::genesys::posix::scandir(__VA_ARGS__)
using genesys::posix::alphasort;
using genesys::posix::closedir;
using genesys::posix::DIR;
using genesys::posix::dirfd;
using genesys::posix::fdopendir;
using genesys::posix::opendir;
using genesys::posix::readdir;
using genesys::posix::rewinddir;
using genesys::posix::scandir;
using genesys::posix::seekdir;
using genesys::posix::telldir;
#endif
