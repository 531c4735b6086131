// SPDX-License-Identifier: Apache-2.0
// POSIX <sys/mman.h>: memory (docs/memory.md says what kernels map), as in the manual pages (section 2), for kernels.
// Each function is there twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and
// without it for each thread, where a library is bound. The threads of the scope call it, and all get the result: -1,
// with errno, after an error.
#pragma once

#include <sys/mman.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int munmap(const Calls& calls, void* at, size_t bytes) {
  return detail::libc::result_of(calls.munmap(at, bytes));
}
GENESYS_KERNEL_OUTLINE inline int munmap(void* at, size_t bytes) { return munmap(detail::libc::ambient(), at, bytes); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int madvise(const Calls& calls, void* at, size_t bytes, int advice) {
  return detail::libc::result_of(calls.madvise(at, bytes, advice));
}
GENESYS_KERNEL_OUTLINE inline int madvise(void* at, size_t bytes, int advice) {
  return madvise(detail::libc::ambient(), at, bytes, advice);
}

// An error number; errno stays as it is. POSIX_MADV_DONTNEED does nothing, as in glibc, because Linux's advice of this
// name would lose data. posix_madvise(3).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int posix_madvise(const Calls& calls, void* at, size_t bytes, int advice) {
  return advice == POSIX_MADV_DONTNEED ? 0 : static_cast<int>(-calls.madvise(at, bytes, advice));
}
GENESYS_KERNEL_OUTLINE inline int posix_madvise(void* at, size_t bytes, int advice) {
  return posix_madvise(detail::libc::ambient(), at, bytes, advice);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int msync(const Calls& calls, void* at, size_t bytes, int flags) {
  return detail::libc::result_of(calls.msync(at, bytes, flags));
}
GENESYS_KERNEL_OUTLINE inline int msync(void* at, size_t bytes, int flags) {
  return msync(detail::libc::ambient(), at, bytes, flags);
}

// An address, or MAP_FAILED with errno. mmap(2).
template <detail::libc::system_calls Calls>
GENESYS_KERNEL void* mmap(const Calls& calls, void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  const long mapped = calls.mmap(at, bytes, protection, flags, fd, offset);
  if (mapped < 0 && mapped > -4096) return detail::libc::result_of(mapped), MAP_FAILED;
  return reinterpret_cast<void*>(mapped);
}
GENESYS_KERNEL_OUTLINE inline void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return mmap(detail::libc::ambient(), at, bytes, protection, flags, fd, offset);
}

}  // namespace genesys::posix
