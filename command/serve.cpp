// SPDX-License-Identifier: Apache-2.0
#include "serve.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace genesys::command {

int become_serve(char** argv) {
  std::error_code none;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::filesystem::path beside = own.parent_path() / "genesys-serve";
  ::execv(beside.c_str(), argv);
  const int why = errno;
  std::cerr << "genesys: cannot run '" << beside.string() << "' (" << std::strerror(why) << ")"
            << (why == ENOENT ? "; build the target genesys_serve" : "") << "\n";
  return 1;
}

}  // namespace genesys::command
