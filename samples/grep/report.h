// SPDX-License-Identifier: Apache-2.0
// The kernel's output: names, counts and messages, each by one `write` at thread scope. Called by one thread of a
// team, which then has the team's line for itself. There are barriers before and after the call.
#pragma once

#include <cerrno>

#include "genesys/os.h"
#include "task.h"

namespace grep {

// Writes all bytes, in several calls if need be: Linux may write less to a pipe or a full disk. Returns 0, or -errno.
// Not inlined, so that there is one copy of the call's code instead of six.
GENESYS_KERNEL_OUTLINE inline long write_all(const genesys::os& os, int fd, const char* from, unsigned long bytes) {
  const auto io = os.on(genesys::thread());
  while (bytes > 0) {
    const long written = io.write(fd, from, bytes);
    if (written < 0) return written;
    from += written;
    bytes -= static_cast<unsigned long>(written);
  }
  return 0;
}

// Standard output cannot be written: the whole search stops. `error` is negative.
GENESYS_KERNEL void note_output_error(const task& work, long error) {
  genesys::atomic(work.result->output_error).store(static_cast<std::uint32_t>(-error), std::memory_order_relaxed);
  stop_all(work.files);
}

// Writes to standard output.
GENESYS_KERNEL void print(const genesys::os& os, const task& work, const char* from, const char* end) {
  const long error = write_all(os, 1, from, static_cast<unsigned long>(end - from));
  if (error != 0) note_output_error(work, error);
}

// "NAME\n"
GENESYS_KERNEL void print_name(const genesys::os& os, const task& work, output_line& line, unsigned path_length) {
  char* const end = line.path() + path_length;
  *end = '\n';
  print(os, work, line.path(), end + 1);
}

// "NAME:COUNT\n", or without the name.
GENESYS_KERNEL void print_count(const genesys::os& os, const task& work, output_line& line, unsigned path_length,
                                bool with_name, std::uint64_t count) {
  char* const digits = line.path() + path_length + 1;
  digits[-1] = ':';
  unsigned length = 1;
  for (std::uint64_t rest = count; rest >= 10; rest /= 10) ++length;
  for (unsigned i = length; i-- > 0; count /= 10) digits[i] = static_cast<char>('0' + count % 10);
  digits[length] = '\n';
  print(os, work, with_name ? line.path() : digits, digits + length + 1);
}

GENESYS_KERNEL char* append(char* to, const char* text) {
  while (*text != 0) *to++ = *text++;
  return to;
}

// Prints "grep: NAME: text of the error\n" to standard error. `error` is negative, as Linux gives it.
GENESYS_KERNEL void complain(const genesys::os& os, const task& work, output_line& line, unsigned path_length,
                             long error) {
  const long number = -error < long{messages_max} ? -error : long{messages_max} - 1;
  char* const path_end = line.path() + path_length;
  append(line.text, "grep: ");
  char* end = append(path_end, ": ");
  end = append(end, work.messages[number]);
  *end++ = '\n';
  write_all(os, 2, line.text, static_cast<unsigned long>(end - line.text));
  *path_end = 0;
  genesys::atomic(work.result->failed).store(1, std::memory_order_relaxed);
}

}  // namespace grep
