// SPDX-License-Identifier: Apache-2.0
#include "host/driver_descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

#include "genesys/error.h"
#include "policy/foreign_descriptors.h"

namespace genesys::detail {
namespace {

[[noreturn]] void fail(int error) {
  throw genesys::error(error_code::system, "cannot look at /proc/self/fd for the driver's descriptors: " +
                                               std::generic_category().message(error));
}

// Whether the descriptor leads to a plain file, which another thread of the program may have opened meanwhile.
bool is_programs(const std::string& link) { return link.starts_with("/") && !link.starts_with("/dev/"); }

struct close_folder {
  void operator()(DIR* folder) const {
    policy::release(::dirfd(folder));
    ::closedir(folder);
  }
};

}  // namespace

// (Not std::filesystem: its iterator ends the process where memory is short.)
descriptor_links open_descriptors() {
  constexpr const char* path = "/proc/self/fd";
  descriptor_links all;
  const std::unique_ptr<DIR, close_folder> folder(::opendir(path));
  if (folder == nullptr && errno != ENOENT) fail(errno);
  if (folder == nullptr) return all;  // no /proc: see docs/limits.md
  policy::protect(::dirfd(folder.get()));
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) fail(errno);
    if (entry == nullptr) return all;
    int fd = -1;
    std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), fd);
    char link[PATH_MAX];
    const ssize_t length = ::readlinkat(::dirfd(folder.get()), entry->d_name, link, sizeof link);
    // Closed meanwhile, not a link, or a path that is too long, which is the program's.
    if (length < 0 && errno != ENOENT && errno != EINVAL && errno != ENAMETOOLONG) fail(errno);
    if (length >= 0 && fd != ::dirfd(folder.get()))
      all.emplace(fd, std::string(link, static_cast<std::size_t>(length)));
  }
}

void forget_closed(const descriptor_links& open) {
  foreign_descriptors.each([&](u64 number) {
    const int fd = static_cast<int>(number);
    const auto known = open.find(fd);
    const bool is_file = known != open.end() && is_programs(known->second);
    if (is_file || ::fcntl(fd, F_GETFD) < 0) foreign_descriptors.remove(number);
  });
}

void protect_drivers(const descriptor_links& before, bool has_driver) {
  for (const auto& [fd, link] : open_descriptors()) {
    const auto known = before.find(fd);
    const bool is_new = known == before.end() || known->second != link;
    const bool is_own = own_descriptors.has(static_cast<u64>(fd));  // an open descriptor of a runtime
    if ((has_driver && is_new && !is_programs(link) && !is_own) || link.starts_with("/dev/nvidia"))
      protect_foreign(fd, link);
  }
}

}  // namespace genesys::detail
