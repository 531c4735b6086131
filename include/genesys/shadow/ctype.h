// SPDX-License-Identifier: Apache-2.0
// C's <ctype.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <ctype.h>
#else
using genesys::posix::isalnum;
using genesys::posix::isalpha;
using genesys::posix::isascii;
using genesys::posix::isblank;
using genesys::posix::iscntrl;
using genesys::posix::isdigit;
using genesys::posix::isgraph;
using genesys::posix::islower;
using genesys::posix::isprint;
using genesys::posix::ispunct;
using genesys::posix::isspace;
using genesys::posix::isupper;
using genesys::posix::isxdigit;
using genesys::posix::toascii;
using genesys::posix::tolower;
using genesys::posix::toupper;
#endif
