// SPDX-License-Identifier: Apache-2.0
#include "schedule/program/function_file.h"

#include <dlfcn.h>

#include <fstream>
#include <iterator>

namespace genesys::schedule {

std::string file_of_function(const void* function) {
  Dl_info in{};
  return ::dladdr(function, &in) != 0 && in.dli_fname != nullptr ? in.dli_fname : "/proc/self/exe";
}

std::vector<fatbin_entry> entries_of_file(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  if (!from) from.open("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(from), {}};
  return entries_of_program(bytes);
}

}  // namespace genesys::schedule
