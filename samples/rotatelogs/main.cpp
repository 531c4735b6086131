// SPDX-License-Identifier: Apache-2.0
// rotatelogs: appends lines to a log. A log that would grow too large becomes LOG.1, LOG.1 becomes LOG.2, and so on.
#include <fcntl.h>
#include <genesys/stdio.h>
#include <limits.h>
#include <sys/stat.h>

#include "kernel_main.h"

namespace posix = genesys::posix;

struct log_file {
  const char* name;
  long bytes_max, files;  // how large it may be; how many old ones are kept
  int fd = -1;
  long bytes = 0, lost = 0;
  bool has_failed = false;  // one message is enough until all is well again
  int status = 0;

  GENESYS_KERNEL bool fails(const char* what) {
    if (!has_failed) posix::fprintf(posix::standard_error(), "rotatelogs: cannot %s %s: %m\n", what, name);
    has_failed = true, status = 1;
    return false;
  }

  GENESYS_KERNEL bool open() {
    struct stat about;
    fd = posix::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || posix::fstat(fd, &about) != 0) return fails("open");
    bytes = about.st_size;
    return true;
  }

  GENESYS_KERNEL void path_of(char (&to)[PATH_MAX + 32], long k) const {
    posix::snprintf(to, sizeof to, k == 0 ? "%s" : "%s.%ld", name, k);
  }

  // If it fails, the log stays as it is, and the next line tries again.
  GENESYS_KERNEL bool rotate() {
    char from[PATH_MAX + 32], to[PATH_MAX + 32];
    path_of(from, files);
    if (posix::unlink(from) != 0 && errno != ENOENT) return fails("remove the oldest of");
    for (long k = files; k-- > 0;) {
      path_of(from, k), path_of(to, k + 1);
      if (posix::rename(from, to) != 0 && errno != ENOENT) return fails("rename");
    }
    posix::close(fd);
    return open();
  }

  // A line goes into one file, whole or not at all.
  GENESYS_KERNEL bool append(const char* line, long length) {
    if (fd < 0 && !open()) return false;
    if (bytes > 0 && bytes + length > bytes_max && !rotate() && fd < 0) return false;
    for (long done = 0; done < length;) {
      const long now = posix::write(fd, line + done, static_cast<std::size_t>(length - done));
      if (now < 0) {
        fails("write");
        if (done > 0) (void)posix::ftruncate(fd, bytes);
        return false;
      }
      done += now;
    }
    bytes += length;
    has_failed = has_failed && bytes > bytes_max;  // a rotation may have failed
    return true;
  }
};

struct rotatelogs {
  GENESYS_KERNEL int operator()(genesys::os os, int, char* const* argv) const {
    posix::library c(os);
    char *bytes_end, *files_end;
    log_file log{argv[1], posix::strtol(argv[2], &bytes_end, 10), posix::strtol(argv[3], &files_end, 10)};
    if (log.bytes_max < 1 || log.files < 0 || log.files > 9999 || *bytes_end != 0 || *files_end != 0 || *argv[3] == 0)
      return posix::dprintf(2, "rotatelogs: BYTES from 1 on, FILES from 0 to 9999\n"), 2;
    posix::FILE* const in = posix::standard_input();
    char* line = nullptr;
    std::size_t room = 0;
    for (long length; (length = posix::getline(&line, &room, in)) >= 0;) {
      if (!log.append(line, length)) ++log.lost;
    }
    if (posix::ferror(in)) return posix::perror("rotatelogs: standard input"), 1;
    if (log.lost > 0) posix::dprintf(2, "rotatelogs: %ld lines are lost\n", log.lost);
    return log.status;
  }
};

int main(int argc, char** argv) {
  return kernel_main(
      rotatelogs{}, argc, argv, 3,
      "usage: rotatelogs LOG BYTES FILES\n"
      "Appends standard input to LOG. Before it exceeds BYTES it becomes LOG.1; FILES old ones are kept.",
      {.threads = {1}});
}
