// SPDX-License-Identifier: Apache-2.0
// Begins a ported source (genesys/shadow.h): from here to end.h C's headers declare the functions for kernels.
#if defined(GENESYS_SHADOW) || !defined(GENESYS_PORTED)
#error "include genesys/shadow.h at file scope first, and genesys/shadow/end.h before the next begin.h"
#endif
#define GENESYS_SHADOW 1

#pragma push_macro("assert")
#pragma push_macro("errno")
#pragma push_macro("main")
#pragma push_macro("static")
#pragma push_macro("stderr")
#pragma push_macro("stdin")
#pragma push_macro("stdout")
#pragma push_macro("va_arg")
#undef errno
#undef stderr
#undef stdin
#undef stdout
#define errno (::genesys::posix::error_number())
#define stderr (::genesys::posix::standard_error())
#define stdin (::genesys::posix::standard_input())
#define stdout (::genesys::posix::standard_output())
#define main ported_main

// A static function is marked. A static variable does not compile: the threads would share it.
#if defined(__CUDACC__)
#define static static GENESYS_PORTED
#pragma nv_diagnostic push
#pragma nv_diag_error 1835      // a mark on a variable
#pragma nv_diag_suppress 20040  // a mark after the first declaration
#else
#define static static __attribute__((no_instrument_function))  // which only functions can have
#endif
