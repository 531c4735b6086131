// SPDX-License-Identifier: Apache-2.0
// What the tests of escapes share: a kernel under `io`, confined to a folder, tries to reach what it may not, in one
// function each. The jail checks its canary at the end. docs/security.md says what is promised.
#pragma once

#include <fcntl.h>

#include "jail.h"

namespace attack {

struct escape {
  const char* name;
  void (*tried)(jail&);
};
inline void PrintTo(const escape& one, std::ostream* to) { *to << one.name; }

// A descriptor of the host's own.
class hosts {
 public:
  explicit hosts(const std::string& path, int flags = O_RDWR) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~hosts() { ::close(fd_); }
  hosts(const hosts&) = delete;
  hosts& operator=(const hosts&) = delete;
  operator int() const { return fd_; }  // NOLINT: it is a descriptor

 private:
  int fd_;
};

inline long opened(jail& j, const char* path, int flags = O_RDONLY) {
  return j.call(SYS_openat, {AT_FDCWD, path, flags, 0});
}

class Escapes : public testing::TestWithParam<escape> {
 protected:
  void try_out(const char* rules) {
    jail j(rules);
    GetParam().tried(j);
  }
};
inline std::string name_of(const testing::TestParamInfo<escape>& info) { return info.param.name; }

}  // namespace attack
