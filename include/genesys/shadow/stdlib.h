// SPDX-License-Identifier: Apache-2.0
// C's <stdlib.h> for a ported source: the functions for kernels. Elsewhere the host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <stdlib.h>
#else
using genesys::posix::abs;
using genesys::posix::atof;
using genesys::posix::atoi;
using genesys::posix::atol;
using genesys::posix::atoll;
using genesys::posix::div;
using genesys::posix::labs;
using genesys::posix::ldiv;
using genesys::posix::llabs;
using genesys::posix::lldiv;
using genesys::posix::qsort_r;
using genesys::posix::rand_r;
using genesys::posix::strtod;
using genesys::posix::strtof;
using genesys::posix::strtol;
using genesys::posix::strtold;
using genesys::posix::strtoll;
using genesys::posix::strtoul;
using genesys::posix::strtoull;
using genesys::posix::shadow::abort;
using genesys::posix::shadow::bsearch;
using genesys::posix::shadow::calloc;
using genesys::posix::shadow::free;
using genesys::posix::shadow::malloc;
using genesys::posix::shadow::qsort;
using genesys::posix::shadow::realloc;
using genesys::posix::shadow::reallocarray;
#endif
