// SPDX-License-Identifier: Apache-2.0
// snprintf(3) and its kin for kernels, into memory. Each thread calls them for itself. They give what glibc gives in
// the C locale; posix/detail/format.h lists the differences.
#pragma once

#include <cstddef>

#include "genesys/posix/detail/errno.h"
#include "genesys/posix/detail/format.h"

#undef snprintf
#undef sprintf
#undef vsnprintf
#undef vsprintf

namespace genesys::posix {

using detail::libc::argument;
using detail::libc::argument_kind;
using detail::libc::arguments;

/// Packs the arguments for a function that takes `arguments`. The result lives in the caller's frame: use it in the
/// same expression, or keep it in a variable.
///     template <class... Args> GENESYS_KERNEL int note(const char* format, Args... args) {
///       return vsnprintf(buffer, sizeof buffer, format, genesys::posix::pack(args...));
///     }
template <class... Args>
GENESYS_KERNEL auto pack(Args... args) {
  return detail::libc::pack_arguments(args...);
}

/// As vsnprintf(3): writes at most `bytes` bytes with the final 0, and returns the length of the whole text without it.
/// `to` may be null if `bytes` is 0. On failure it returns -1: errno is EINVAL (the format string ends in a conversion,
/// an argument is missing or of a wrong kind, wide characters) or EOVERFLOW (more than INT_MAX bytes).
GENESYS_KERNEL_OUTLINE inline int vsnprintf(char* to, std::size_t bytes, const char* format, arguments given) {
  constexpr std::size_t bytes_max = std::size_t{INT_MAX} + 1;  // of a text that is no failure
  const std::size_t space = bytes == 0 ? 0 : (bytes < bytes_max ? bytes : bytes_max) - 1;
  detail::libc::memory_sink sink(to, space);
  const int result = detail::libc::format(sink, format, given, detail::libc::error_number());
  if (bytes != 0) *sink.at = 0;
  if (result >= 0) return result;
  detail::libc::set_errno(-result);
  return -1;
}

/// As vsprintf(3): `to` must have space for all of the text.
GENESYS_KERNEL int vsprintf(char* to, const char* format, arguments given) {
  return vsnprintf(to, ~std::size_t{0}, format, given);
}

template <class... Args>
GENESYS_KERNEL int snprintf(char* to, std::size_t bytes, const char* format, Args... args) {
  return vsnprintf(to, bytes, format, pack(args...));
}

template <class... Args>
GENESYS_KERNEL int sprintf(char* to, const char* format, Args... args) {
  return vsprintf(to, format, pack(args...));
}

}  // namespace genesys::posix
