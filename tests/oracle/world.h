// SPDX-License-Identifier: Apache-2.0
// The files that trials use: `file` with some bytes, `link` to it, and the folder `empty`.
#pragma once

#include <sys/stat.h>
#include <sys/xattr.h>

#include "contract.h"

namespace oracle {

class world {
 public:
  world() { reset(); }
  ~world() { ::close(file_); }
  world(const world&) = delete;
  world& operator=(const world&) = delete;
  int fd() const { return folder_.fd(); }
  int file() const { return file_; }
  std::string operator/(const std::string& name) const { return folder_ / name; }
  void remove(const std::string& name) const { std::filesystem::remove_all(folder_ / name); }
  // Restores the first state. The descriptors stay the same.
  void reset() {
    for (const char* name : {"new", "link", "empty"}) remove(name);
    struct stat now {};
    if (::fstatat(fd(), "file", &now, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(now.st_mode)) remove("file");
    const contract::descriptor made = contract::made_file(folder_, "file", contract::patterned(1000));
    if (file_ < 0) file_ = ::fcntl(made.get(), F_DUPFD_CLOEXEC, 0);
    ::dup3(made.get(), file_, O_CLOEXEC);
    ::fchmod(file_, 0644);
    ::symlinkat("file", fd(), "link");
    ::mkdirat(fd(), "empty", 0755);
  }

 private:
  contract::folder folder_;
  int file_ = -1;
};

}  // namespace oracle
