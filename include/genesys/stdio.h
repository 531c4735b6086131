// SPDX-License-Identifier: Apache-2.0
// The C library for kernels: streams and formatted output, in genesys::posix. Text is formatted on the device, by the
// thread that calls. docs/libc.md.
#pragma once

#include "genesys/posix.h"
#include "genesys/posix/detail/stream_format.h"
#include "genesys/posix/format.h"
#include "genesys/posix/streams.h"

namespace genesys::posix {

// As vfprintf(3): the number of bytes, or -1 with errno. What one call writes stays together.
GENESYS_KERNEL int vfprintf(FILE* to, const char* format, arguments given) {
  return to == nullptr ? -1 : detail::libc::format_into(*to, format, given);
}
template <class... Args>
GENESYS_KERNEL int fprintf(FILE* to, const char* format, Args... args) {
  return vfprintf(to, format, pack(args...));
}

// To this thread's standard output, which is written by whole lines.
GENESYS_KERNEL int vprintf(const char* format, arguments given) { return vfprintf(standard_output(), format, given); }
template <class... Args>
GENESYS_KERNEL int printf(const char* format, Args... args) {
  return vprintf(format, pack(args...));
}

// To a descriptor, without a stream: texts of up to 512 bytes are written by one call of write(2). dprintf(3).
GENESYS_KERNEL int vdprintf(const os& calls, int fd, const char* format, arguments given) {
  return detail::libc::format_to_descriptor(detail::libc::origin_of(calls.context()), fd, format, given);
}
GENESYS_KERNEL int vdprintf(int fd, const char* format, arguments given) {
  return detail::libc::format_to_descriptor(detail::libc::ambient_origin(), fd, format, given);
}
template <class... Args>
GENESYS_KERNEL int dprintf(const os& calls, int fd, const char* format, Args... args) {
  return vdprintf(calls, fd, format, pack(args...));
}
template <class... Args>
GENESYS_KERNEL int dprintf(int fd, const char* format, Args... args) {
  return vdprintf(fd, format, pack(args...));
}
// printf in a kernel without a library: at once, and without a stream.
template <class... Args>
GENESYS_KERNEL int printf(const os& calls, const char* format, Args... args) {
  return dprintf(calls, 1, format, args...);
}

// Into memory of malloc(), which *into gets. asprintf(3).
GENESYS_KERNEL_OUTLINE inline int vasprintf(char** into, const char* format, arguments given) {
  const int bytes = vsnprintf(nullptr, 0, format, given);
  if (bytes < 0) return -1;
  *into = static_cast<char*>(posix::malloc(static_cast<std::size_t>(bytes) + 1));
  if (*into == nullptr) return -1;
  return vsnprintf(*into, static_cast<std::size_t>(bytes) + 1, format, given);
}
template <class... Args>
GENESYS_KERNEL int asprintf(char** into, const char* format, Args... args) {
  return vasprintf(into, format, pack(args...));
}

// "text: what errno means", to standard error. perror(3).
GENESYS_KERNEL void perror(const char* text) {
  const int error = error_number();
  if (text != nullptr && *text != 0) {
    (void)fprintf(standard_error(), "%s: %m\n", text);
  } else {
    (void)fprintf(standard_error(), "%m\n");
  }
  error_number() = error;
}

// A file or an empty folder. remove(3).
GENESYS_KERNEL int remove(const char* path) {
  if (unlink(path) == 0) return 0;
  return error_number() == EISDIR ? rmdir(path) : -1;
}

}  // namespace genesys::posix
