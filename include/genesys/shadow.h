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
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

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
  template <class T>
  GENESYS_KERNEL friend bool operator==(any_pointer a, T* b) {
    return a.value == b;
  }
};

GENESYS_KERNEL any_pointer malloc(size_t bytes) { return {posix::malloc(bytes)}; }
GENESYS_KERNEL any_pointer calloc(size_t count, size_t bytes) { return {posix::calloc(count, bytes)}; }
GENESYS_KERNEL any_pointer realloc(void* memory, size_t bytes) { return {posix::realloc(memory, bytes)}; }
GENESYS_KERNEL any_pointer memchr(const void* in, int value, size_t bytes) { return {posix::memchr(in, value, bytes)}; }
GENESYS_KERNEL any_pointer bsearch(const void* key, const void* base, size_t count, size_t size,
                                   int (*compare)(const void*, const void*)) {
  return {posix::bsearch(key, base, count, size, compare)};
}
GENESYS_KERNEL any_pointer reallocarray(void* memory, size_t count, size_t bytes) {
  return {posix::reallocarray(memory, count, bytes)};
}
GENESYS_KERNEL any_pointer mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return {posix::mmap(at, bytes, protection, flags, fd, offset)};
}

// For a pointer to a type of the host C++ also finds the host's function, which takes a void*. These match better.
using posix::bzero, posix::free, posix::memcmp, posix::memcpy, posix::memmove, posix::memset, posix::pread,
    posix::pwrite, posix::qsort, posix::read, posix::write;
template <class T>
GENESYS_KERNEL void bzero(T* at, size_t bytes) {
  posix::bzero(at, bytes);
}
template <class T>
GENESYS_KERNEL void free(T* memory) {
  posix::free(memory);
}
template <class T>
GENESYS_KERNEL any_pointer realloc(T* memory, size_t bytes) {
  return any_pointer{posix::realloc(memory, bytes)};  // nvcc 13.0 loses the braces of a list alone
}
template <class T>
GENESYS_KERNEL any_pointer reallocarray(T* memory, size_t count, size_t bytes) {
  return any_pointer{posix::reallocarray(memory, count, bytes)};
}
template <class A, class B>
GENESYS_KERNEL int memcmp(A* a, B* b, size_t bytes) {
  return posix::memcmp(a, b, bytes);
}
template <class To, class From>
GENESYS_KERNEL void* memcpy(To* to, From* from, size_t bytes) {
  return posix::memcpy(to, from, bytes);
}
template <class To, class From>
GENESYS_KERNEL void* memmove(To* to, From* from, size_t bytes) {
  return posix::memmove(to, from, bytes);
}
template <class T>
GENESYS_KERNEL void* memset(T* at, int value, size_t bytes) {
  return posix::memset(at, value, bytes);
}
template <class T>
GENESYS_KERNEL void qsort(T* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  posix::qsort(static_cast<void*>(base), count, size, compare);
}
template <class T>
GENESYS_KERNEL ssize_t read(int fd, T* into, size_t bytes) {
  return posix::read(fd, static_cast<void*>(into), bytes);
}
template <class T>
GENESYS_KERNEL ssize_t write(int fd, T* data, size_t bytes) {
  return posix::write(fd, static_cast<const void*>(data), bytes);
}
template <class T>
GENESYS_KERNEL ssize_t pread(int fd, T* into, size_t bytes, off_t at) {
  return posix::pread(fd, static_cast<void*>(into), bytes, at);
}
template <class T>
GENESYS_KERNEL ssize_t pwrite(int fd, T* data, size_t bytes, off_t at) {
  return posix::pwrite(fd, static_cast<const void*>(data), bytes, at);
}

// getopt() of C has its state in variables.
GENESYS_KERNEL option_state& options() { return variables<option_state>(); }
GENESYS_KERNEL int getopt(int argc, char* const argv[], const char* letters) {
  return posix::getopt(options(), argc, argv, letters);
}
GENESYS_KERNEL int getopt_long(int argc, char* const argv[], const char* letters, const option* all, int* index) {
  return posix::getopt_long(options(), argc, argv, letters, all, index);
}

// Of an argument of this type C++ looks for the function here.
struct host {};
GENESYS_KERNEL char** environ_of(host) { return const_cast<char**>(host_environment()); }

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
