// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace genesys::nbd {

file::file(const std::string& path, bool creates)
    : descriptor_(open(path.c_str(), O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0600)), path_(path) {
  if (descriptor_ < 0) fail(errno, path.c_str());
  // Two servers of one file would each believe in their own locks. The lock is the open file's, so nbdkit's fork
  // keeps it.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int number = errno;
    ::close(descriptor_);
    fail(number, (path + " is in use").c_str());
  }
}

file::~file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

u64 file::bytes() const {
  struct stat is {};
  if (fstat(descriptor_, &is) != 0) fail(errno, path_.c_str());
  u64 bytes = static_cast<u64>(is.st_size);
  if (S_ISBLK(is.st_mode) && ioctl(descriptor_, BLKGETSIZE64, &bytes) != 0) fail(errno, path_.c_str());
  return bytes;
}

void file::resize(u64 bytes) const {
  if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail(errno, path_.c_str());
}

void file::read(u64 offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno, path_.c_str());
    if (got == 0) {
      std::memset(into.data(), 0, into.size());
      return;
    }
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<u64>(got);
  }
}

void file::write(u64 offset, std::span<const std::byte> from) const {
  while (!from.empty()) {
    const ssize_t put = pwrite(descriptor_, from.data(), from.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) fail(put < 0 ? errno : ENOSPC, path_.c_str());
    from = from.subspan(static_cast<std::size_t>(put));
    offset += static_cast<u64>(put);
  }
}

void file::zero(u64 offset, u64 bytes, bool gives_back) const {
  const int how = gives_back ? FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE : FALLOC_FL_ZERO_RANGE;
  if (fallocate(descriptor_, how, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENODEV) fail(errno, path_.c_str());
  const std::vector<std::byte> zeros(std::min<u64>(bytes, 1 << 20));
  while (bytes != 0) {
    const u64 part = std::min<u64>(bytes, zeros.size());
    write(offset, std::span(zeros).first(part));
    offset += part;
    bytes -= part;
  }
}

void file::sync() const {
  if (fdatasync(descriptor_) != 0) fail(errno, path_.c_str());
}

}  // namespace genesys::nbd
