// SPDX-License-Identifier: Apache-2.0
// The functions of <libgen.h> for kernels: parts of a path. Any thread may call any function, alone. As in POSIX, both
// may write into the path, and return a pointer into it or to constant text.
#pragma once

#include <libgen.h>

#include "genesys/posix/string.h"

#undef basename

namespace genesys::posix {

// The last part of the path, without slashes at its end.
GENESYS_KERNEL_OUTLINE inline char* basename(char* path) {
  if (path == nullptr || *path == 0) return const_cast<char*>(".");
  char* end = path + strlen(path);
  while (end > path + 1 && end[-1] == '/') --end;
  if (end == path + 1 && *path == '/') return path + strlen(path) - 1;  // slashes alone: the last one
  *end = 0;
  while (end > path && end[-1] != '/') --end;
  return end;
}

// The path without its last part.
GENESYS_KERNEL_OUTLINE inline char* dirname(char* path) {
  char* const none = const_cast<char*>(".");
  if (path == nullptr) return none;
  char* end = path + strlen(path);
  while (end > path && end[-1] == '/') --end;
  while (end > path && end[-1] != '/') --end;
  if (end == path && *path != '/') return none;
  while (end > path && end[-1] == '/') --end;
  if (end == path) {  // the root; as with glibc, two slashes stay two
    ++end;
    if (end[0] == '/' && end[1] != '/') ++end;
  }
  *end = 0;
  return path;
}

}  // namespace genesys::posix
