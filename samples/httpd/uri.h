// SPDX-License-Identifier: Apache-2.0
// The path of a request (RFC 3986). Any thread, for itself.
#pragma once

#include <genesys/stdio.h>

// Replaces each %XX by its byte. False: what follows a % is no byte of a path.
GENESYS_KERNEL bool decode(char* path) {
  namespace posix = genesys::posix;
  char* to = path;
  for (const char* from = path; *from != 0; ++from, ++to) {
    *to = *from;
    if (*from != '%') continue;
    if (!posix::isxdigit(from[1]) || !posix::isxdigit(from[2])) return false;
    const char digits[3] = {from[1], from[2], 0};
    *to = static_cast<char>(posix::strtoul(digits, nullptr, 16));
    if (*to == 0) return false;
    from += 2;
  }
  *to = 0;
  return true;
}

// Whether a part of the path is "..".
GENESYS_KERNEL bool is_outside(const char* path) {
  for (const char* at = path; (at = genesys::posix::strstr(at, "..")) != nullptr; ++at) {
    if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == 0)) return true;
  }
  return false;
}
