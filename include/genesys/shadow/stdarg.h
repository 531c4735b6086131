// SPDX-License-Identifier: Apache-2.0
// C's <stdarg.h> for a ported source: va_arg() also takes an enumeration, which C++ passes as an integer. Elsewhere the
// host's header.
#pragma GCC system_header  // #include_next is an extension
#ifndef GENESYS_SHADOW
#include_next <stdarg.h>
#else
#undef va_arg
#define va_arg(list, type) ((type) __builtin_va_arg(list, ::genesys::posix::shadow::passed<type>))
#endif
