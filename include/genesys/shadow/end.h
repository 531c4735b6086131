// SPDX-License-Identifier: Apache-2.0
// Ends a ported source: C's names mean the host's again.
#ifndef GENESYS_SHADOW
#error "genesys/shadow/begin.h comes first"
#endif
#undef GENESYS_SHADOW

#pragma pop_macro("assert")
#pragma pop_macro("errno")
#pragma pop_macro("main")
#pragma pop_macro("static")
#pragma pop_macro("stderr")
#pragma pop_macro("stdin")
#pragma pop_macro("stdout")
#pragma pop_macro("va_arg")

#undef clock_getres
#undef clock_gettime
#undef asctime_r
#undef ctime_r
#undef fstat
#undef fstatat
#undef gettimeofday
#undef gmtime_r
#undef lstat
#undef nanosleep
#undef stat
#undef strftime
#undef timegm

#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
