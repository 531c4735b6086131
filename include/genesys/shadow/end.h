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

#undef accept
#undef accept4
#undef alphasort
#undef asctime_r
#undef bind
#undef clock_getres
#undef clock_gettime
#undef clock_nanosleep
#undef connect
#undef ctime_r
#undef environ
#undef fstat
#undef fstatat
#undef futimens
#undef getopt_long
#undef getpeername
#undef getsockname
#undef getsockopt
#undef gettimeofday
#undef gmtime_r
#undef in6addr_any
#undef in6addr_loopback
#undef inet_aton
#undef inet_ntop
#undef inet_pton
#undef lstat
#undef nanosleep
#undef optarg
#undef opterr
#undef optind
#undef optopt
#undef poll
#undef recv
#undef recvfrom
#undef recvmsg
#undef scandir
#undef select
#undef send
#undef sendmsg
#undef sendto
#undef setsockopt
#undef shutdown
#undef sigaddset
#undef sigdelset
#undef sigemptyset
#undef sigfillset
#undef sigismember
#undef sigqueue
#undef socket
#undef socketpair
#undef stat
#undef strftime
#undef timegm
#undef utimensat

#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif
