// SPDX-License-Identifier: Apache-2.0
// cat: a block reads each file, and writes it to standard output.
#include <genesys/stdio.h>

#include "kernel_main.h"

namespace posix = genesys::posix;

struct cat {
  static constexpr unsigned bytes = 48 << 10;

  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    const auto io = os.on(genesys::block());
    char* const buffer = static_cast<char*>(genesys::dynamic_shared());
    int status = 0;
    for (int i = argc == 1 ? 0 : 1; i < argc; ++i) {
      const char* const name = argc == 1 ? "-" : argv[i];
      const bool is_input = posix::strcmp(name, "-") == 0;
      const int fd = is_input ? 0 : posix::open(io, name, O_RDONLY);
      const bool is_itself = fd >= 0 && is_output(io, fd);
      if (is_itself && genesys::thread_rank() == 0) posix::dprintf(2, "cat: %s: input file is output file\n", name);
      status |= is_itself;
      long n = fd;
      while (fd >= 0 && !is_itself && (n = posix::read(io, fd, buffer, bytes)) > 0) {
        for (long done = 0, now = 0; done < n; done += now) {
          now = posix::write(io, 1, buffer + done, static_cast<std::size_t>(n - done));
          if (now < 0) return posix::error_number() == EPIPE ? closed_pipe : complain("write error");
        }
      }
      if (n < 0) status = complain(name);
      if (fd > 0) posix::close(io, fd);
    }
    return status;
  }
  // Whether it is the file of standard output, and has something to read: cat would read what it has written.
  GENESYS_KERNEL static bool is_output(const auto& io, int fd) {
    struct stat in, out;
    if (posix::fstat(io, fd, &in) != 0 || posix::fstat(io, 1, &out) != 0 || !S_ISREG(out.st_mode)) return false;
    return in.st_dev == out.st_dev && in.st_ino == out.st_ino && posix::lseek(io, fd, 0, SEEK_CUR) < in.st_size;
  }
  // All threads have the same errno; one prints it.
  GENESYS_KERNEL static int complain(const char* what) {
    if (genesys::thread_rank() == 0) posix::fprintf(posix::standard_error(), "cat: %s: %m\n", what);
    return 1;
  }
};

int main(int argc, char** argv) {
  return names_main(cat{}, argc, argv, "usage: cat [FILE...]\nWrites the files, or standard input (-).",
                    {.threads = {256}, .shared_bytes = cat::bytes});
}
