// SPDX-License-Identifier: Apache-2.0
// C sources from elsewhere as code of kernels. C's names in genesys::posix clash with the host's, which nvcc cannot
// overload by execution space. A ported source sees them in a namespace of its own:
//
//   #include <genesys/shadow.h>
//   namespace port {
//   #include <genesys/shadow/begin.h>
//   GENESYS_PORTED int ported_main();  // a mark on a declaration marks the definition
//   #include "program.c"               // its #include <stdio.h> finds genesys/shadow/stdio.h
//   #include <genesys/shadow/end.h>
//   }
//
// The folder genesys/shadow must be a folder of headers of that one file: g++ and nvcc -I. docs/libc.md.
#pragma once

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <type_traits>

#include "genesys/stdio.h"

// Marks a function of a ported source. Not inlined, because ptxas needs minutes for a whole program in one function.
#if defined(__CUDACC__)
#define GENESYS_PORTED __host__ __device__ __noinline__
#else
#define GENESYS_PORTED
#endif

// A static variable in a function, which each thread has for itself: GENESYS_PORTED_STATIC(int, calls, = 0);
#define GENESYS_PORTED_STATIC(type, name, ...) \
  struct name##_of_thread {                    \
    type value __VA_ARGS__;                    \
  };                                           \
  auto& name = ::genesys::posix::variables<name##_of_thread>().value

// A global variable, which each thread has for itself: GENESYS_PORTED_GLOBAL(char, line, [80] = "")
// and then #define line GENESYS_PORTED_VALUE(line)
#define GENESYS_PORTED_GLOBAL(type, name, ...) \
  struct name##_of_thread {                    \
    type value __VA_ARGS__;                    \
  };                                           \
  GENESYS_PORTED inline auto& name##_value() { return ::genesys::posix::variables<name##_of_thread>().value; }
#define GENESYS_PORTED_VALUE(name) name##_value()

namespace genesys::posix::shadow {

// C converts a void* to any other pointer, C++ does not.
struct any_pointer {
  void* value;
  template <class T>
  GENESYS_KERNEL operator T*() const {
    return static_cast<T*>(value);
  }
  GENESYS_KERNEL explicit operator bool() const { return value != nullptr; }
  GENESYS_KERNEL bool operator!() const { return value == nullptr; }
  GENESYS_KERNEL friend bool operator==(any_pointer a, std::nullptr_t) { return a.value == nullptr; }
};

GENESYS_KERNEL any_pointer malloc(size_t bytes) { return {posix::malloc(bytes)}; }
GENESYS_KERNEL any_pointer calloc(size_t count, size_t bytes) { return {posix::calloc(count, bytes)}; }
GENESYS_KERNEL any_pointer realloc(void* memory, size_t bytes) { return {posix::realloc(memory, bytes)}; }
GENESYS_KERNEL any_pointer memchr(const void* in, int value, size_t bytes) { return {posix::memchr(in, value, bytes)}; }
GENESYS_KERNEL any_pointer bsearch(const void* key, const void* base, size_t count, size_t size,
                                   int (*compare)(const void*, const void*)) {
  return {posix::bsearch(key, base, count, size, compare)};
}

// What a variable argument of type T is passed as.
template <class T, bool = std::is_enum_v<T>>
struct passed_as {
  using type = T;
};
template <class T>
struct passed_as<T, true> {
  using type = decltype(+T{});
};
template <class T>
using passed = typename passed_as<T>::type;

// Ends the kernel.
[[noreturn]] GENESYS_KERNEL_OUTLINE inline void abort() {
#if GENESYS_ON_CUDA
  __trap();
  __builtin_unreachable();
#else
  std::abort();
#endif
}
[[noreturn]] GENESYS_KERNEL_OUTLINE inline void assertion_failed(const char* what, const char* file, int line) {
  ::printf("%s:%d: assertion failed: %s\n", file, line, what);
  abort();
}

}  // namespace genesys::posix::shadow
