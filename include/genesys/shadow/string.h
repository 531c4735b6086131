// SPDX-License-Identifier: Apache-2.0
// C's <string.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <string.h>
#else
using genesys::posix::bcmp;
using genesys::posix::bcopy;
using genesys::posix::ffs;
using genesys::posix::ffsl;
using genesys::posix::ffsll;
using genesys::posix::index;
using genesys::posix::memccpy;
using genesys::posix::memmem;
using genesys::posix::mempcpy;
using genesys::posix::memrchr;
using genesys::posix::rindex;
using genesys::posix::stpcpy;
using genesys::posix::stpncpy;
using genesys::posix::strcasecmp;
using genesys::posix::strcasestr;
using genesys::posix::strcat;
using genesys::posix::strchr;
using genesys::posix::strchrnul;
using genesys::posix::strcmp;
using genesys::posix::strcoll;
using genesys::posix::strcpy;
using genesys::posix::strcspn;
using genesys::posix::strdup;
using genesys::posix::strerror;
using genesys::posix::strerror_r;
using genesys::posix::strlcat;
using genesys::posix::strlcpy;
using genesys::posix::strlen;
using genesys::posix::strncasecmp;
using genesys::posix::strncat;
using genesys::posix::strncmp;
using genesys::posix::strncpy;
using genesys::posix::strndup;
using genesys::posix::strnlen;
using genesys::posix::strpbrk;
using genesys::posix::strrchr;
using genesys::posix::strsep;
using genesys::posix::strspn;
using genesys::posix::strstr;
using genesys::posix::strtok_r;
using genesys::posix::strxfrm;
using genesys::posix::shadow::bzero;
using genesys::posix::shadow::memchr;
using genesys::posix::shadow::memcmp;
using genesys::posix::shadow::memcpy;
using genesys::posix::shadow::memmove;
using genesys::posix::shadow::memset;
#endif
