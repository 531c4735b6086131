// SPDX-License-Identifier: Apache-2.0
// errno of each thread of a kernel: an int in shared memory. Host code that calls the same functions has its own errno.
// Any thread may call these functions. The macro errno means both from here on.
#pragma once

#include <cerrno>

#include "genesys/detail/wire/types.h"
#include "genesys/kernel.h"

namespace genesys::detail::libc {

constexpr unsigned block_threads_max = 1024;

struct errno_of_threads {
  int of[block_threads_max];
};

GENESYS_KERNEL int& error_number() {
#if !GENESYS_ON_CUDA
  if (!cpu::inside_kernel()) return errno;
#endif
  return shared<errno_of_threads>().of[thread_rank()];
}
GENESYS_KERNEL void set_errno(int number) { error_number() = number; }

// A result as the C library gives it: -1 and errno for -errno.
template <class T = int>
GENESYS_KERNEL T result_of(long value) {
  if (value >= 0) return static_cast<T>(value);
  set_errno(static_cast<int>(-value));
  return static_cast<T>(-1);
}

}  // namespace genesys::detail::libc

// Of a kernel that uses the host's own macro nvcc makes an empty kernel, without a word: the diagnostics of target.h do
// not hold for macros of system headers.
#undef errno
#define errno (::genesys::detail::libc::error_number())
