// SPDX-License-Identifier: Apache-2.0
// How much memory a sorter uses. Host code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace line_sort {

// Half of what Linux can give to programs without swapping, in bytes: MemAvailable of proc_meminfo(5). It counts pages
// that hold files.
inline std::uint64_t half_of_available_memory() {
  std::ifstream from("/proc/meminfo");
  const std::string name = "MemAvailable:";
  for (std::string line; std::getline(from, line);)
    if (line.compare(0, name.size(), name) == 0) return std::stoull(line.substr(name.size())) * 1024 / 2;
  throw std::runtime_error("cannot read how much memory is free: /proc/meminfo has no MemAvailable");
}

// `wanted`: by --buffer-size, or 0. A message says if that is more than there is to use.
inline std::uint64_t usable_memory(std::uint64_t wanted, std::uint64_t free) {
  if (wanted > free)
    std::fprintf(stderr, "line-sort: --buffer-size is more than the memory that can be used: %lluM\n",
                 static_cast<unsigned long long>(free >> 20));
  return wanted != 0 ? std::min(wanted, free) : free;
}

}  // namespace line_sort
