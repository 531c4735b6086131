// SPDX-License-Identifier: Apache-2.0
// C's <strings.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <strings.h>
#else
using genesys::posix::bcmp;
using genesys::posix::bcopy;
using genesys::posix::ffs;
using genesys::posix::ffsl;
using genesys::posix::ffsll;
using genesys::posix::index;
using genesys::posix::rindex;
using genesys::posix::strcasecmp;
using genesys::posix::strncasecmp;
using genesys::posix::shadow::bzero;
#endif
