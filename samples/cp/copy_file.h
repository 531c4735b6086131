// SPDX-License-Identifier: Apache-2.0
// Copies one file or symbolic link. Any thread, for itself.
#pragma once

#include <genesys/stdio.h>

GENESYS_KERNEL bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether it names a folder itself, or the one above.
GENESYS_KERNEL bool is_dots(const char* name) {
  return genesys::posix::strcmp(name, ".") == 0 || genesys::posix::strcmp(name, "..") == 0;
}

// By Linux, or where it cannot copy by itself (another file system, or /proc) through memory.
GENESYS_KERNEL bool copy_data(int in, int out) {
  namespace posix = genesys::posix;
  long n = 1, all = 0;
  for (; n > 0; all += n) n = posix::copy_file_range(in, nullptr, out, nullptr, 1 << 30, 0);
  const int error = posix::error_number();
  if (n < 0 && error != EXDEV && error != EINVAL && error != ENOSYS && error != EOPNOTSUPP) return false;
  if (n == 0 && all > 0) return true;
  char buffer[4096];  // (Linux copies nothing of a file in /proc, whose size it does not know)
  while ((n = posix::read(in, buffer, sizeof buffer)) > 0) {
    for (long done = 0, now = 0; done < n; done += now)
      if ((now = posix::write(out, buffer + done, static_cast<std::size_t>(n - done))) < 0) return false;
  }
  return n == 0;
}

// errno: EINVAL: they are the same file.
GENESYS_KERNEL bool copy_regular(const char* from, const char* to) {
  namespace posix = genesys::posix;
  struct stat about, there;
  const int in = posix::open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0) return false;
  bool done = false;
  const int out =
      posix::fstat(in, &about) != 0 ? -1 : posix::open(to, O_WRONLY | O_CREAT | O_CLOEXEC, about.st_mode & 0777);
  if (out >= 0 && posix::fstat(out, &there) == 0) {
    if (is_same_file(about, there))
      errno = EINVAL;
    else
      done = (!S_ISREG(there.st_mode) || posix::ftruncate(out, 0) == 0) && copy_data(in, out);
  }
  const int error = errno;
  posix::close(in);
  if (out >= 0 && posix::close(out) != 0) return false;
  errno = error;
  return done;
}

// A link that is there already gets the new target.
GENESYS_KERNEL bool copy_link(const char* from, const char* to) {
  namespace posix = genesys::posix;
  char target[PATH_MAX];
  struct stat there;
  const ssize_t n = posix::readlink(from, target, sizeof target - 1);
  if (n < 0) return false;
  target[n] = 0;
  if (posix::symlink(target, to) == 0) return true;
  if (errno != EEXIST || posix::lstat(to, &there) != 0 || !S_ISLNK(there.st_mode)) return false;
  return posix::unlink(to) == 0 && posix::symlink(target, to) == 0;
}
