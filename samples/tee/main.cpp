// SPDX-License-Identifier: Apache-2.0
// tee: a block reads standard input, and writes it to standard output and to files.
#include <genesys/stdio.h>

#include "kernel_main.h"

namespace posix = genesys::posix;

struct tee_program {
  static constexpr int files_max = 64;
  static constexpr unsigned bytes = 32 << 10;

  GENESYS_KERNEL int operator()(genesys::os os, int argc, char* const* argv) const {
    posix::library c(os);
    const auto io = os.on(genesys::block());
    posix::option_state options;
    int flags = O_WRONLY | O_CREAT | O_TRUNC, status = 0, count = 1;
    for (int each; (each = posix::getopt(options, argc, argv, "a")) != -1;) {
      if (each != 'a') return complain("usage: tee [-a] FILE...", 2);
      flags = O_WRONLY | O_CREAT | O_APPEND;
    }
    if (argc - options.optind >= files_max) return complain("too many files", 2);
    int into[files_max] = {1};
    const char* names[files_max] = {"standard output"};
    for (int i = options.optind; i < argc; ++i) {
      const int fd = posix::open(io, argv[i], flags, 0666);
      if (fd < 0) {
        status = complain(argv[i]);
        continue;
      }
      into[count] = fd;
      names[count++] = argv[i];
    }
    char* const buffer = static_cast<char*>(genesys::dynamic_shared());
    long n;
    while ((n = posix::read(io, 0, buffer, bytes)) > 0) {
      for (int i = 0; i < count; ++i) {
        for (long done = 0, now = 0; into[i] >= 0 && done < n; done += now) {
          now = posix::write(io, into[i], buffer + done, static_cast<std::size_t>(n - done));
          if (now >= 0) continue;
          if (posix::error_number() == EPIPE) return closed_pipe;
          status = complain(names[i]);
          into[i] = -1;  // the others go on
          break;
        }
      }
    }
    return n < 0 ? complain("read error") : status;
  }
  GENESYS_KERNEL static int complain(const char* what, int status = 1) {
    if (genesys::thread_rank() != 0) return status;
    posix::fprintf(posix::standard_error(), status == 1 ? "tee: %s: %m\n" : "%s\n", what);
    return status;
  }
};

int main(int argc, char** argv) {
  return kernel_main(
      tee_program{}, argc, argv, 0,
      "usage: tee [-a] [FILE...]\nWrites standard input to standard output and to the files; -a appends.",
      {.threads = {256}, .shared_bytes = tee_program::bytes});
}
