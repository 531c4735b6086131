// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace line_sort {

output::output(const std::string& name) : name_(name) {
  const int fd = name.empty() ? STDOUT_FILENO : ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) fail();
  struct stat about {};
  const off_t at = ::lseek(fd, 0, SEEK_CUR);
  const bool by_position =
      ::fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && at >= 0 && (::fcntl(fd, F_GETFL) & O_APPEND) == 0;
  to_ = {fd, by_position ? static_cast<u64>(at) : 0, !by_position};
}

output::~output() {
  if (to_.fd > STDERR_FILENO) ::close(to_.fd);
}

const sink& output::begin() {
  if (!name_.empty() && !to_.in_order && ::ftruncate(to_.fd, 0) != 0) fail();
  return to_;
}

void output::end(u64 written) {
  if (!to_.in_order && ::lseek(to_.fd, static_cast<off_t>(to_.at + written), SEEK_SET) < 0) fail();
  if (!name_.empty() && ::close(std::exchange(to_.fd, -1)) != 0) fail();
}

temporary_file::~temporary_file() {
  if (fd_ >= 0) ::close(fd_);
}

sink temporary_file::reserve(u64 bytes) {
  if (fd_ < 0) fd_ = ::open(folder_.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (fd_ < 0) {  // a file system that has no O_TMPFILE
    std::string name = folder_ + "/line-sort.XXXXXX";
    fd_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd_ < 0) application::fail("cannot make a temporary file in " + folder_);
    ::unlink(name.c_str());
  }
  return {fd_, std::exchange(bytes_, bytes_ + bytes), false};
}

void temporary_file::free(u64 begin, u64 end) const {
  (void)::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                    static_cast<off_t>(end - begin));
}

}  // namespace line_sort
