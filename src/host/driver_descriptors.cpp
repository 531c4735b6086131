// SPDX-License-Identifier: Apache-2.0
#include "host/driver_descriptors.h"

#include <charconv>
#include <filesystem>

namespace genesys::detail {

descriptor_links open_descriptors() {
  descriptor_links all;
  std::error_code none;  // without /proc nothing is known
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    const std::string name = entry.path().filename();
    int fd = -1;
    std::from_chars(name.data(), name.data() + name.size(), fd);
    std::error_code gone;
    const std::string link = std::filesystem::read_symlink(entry.path(), gone);
    if (!gone && link.find("/fd") == std::string::npos) all.emplace(fd, link);  // not the one that lists them
  }
  return all;
}

void protect_drivers(policy& rules, const descriptor_links& before) {
  for (const auto& [fd, link] : open_descriptors()) {
    const auto known = before.find(fd);
    const bool is_new = known == before.end() || known->second != link;
    const bool is_file = link.starts_with("/") && !link.starts_with("/dev/");  // another thread's of the program
    if ((is_new && !is_file) || link.starts_with("/dev/nvidia")) rules.protect(fd);
  }
}

}  // namespace genesys::detail
