// SPDX-License-Identifier: Apache-2.0
// Runs a kernel as a program: it gets the arguments, and its result is the exit status.
#pragma once

#include <fcntl.h>
#include <genesys/genesys.h>
#include <genesys/stdio.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

// A kernel whose threads return an exit status. The greatest one counts.
template <class Program>
struct as_kernel {
  GENESYS_KERNEL void operator()(genesys::os os, int argc, char* const* argv, int* status) const {
    const int mine = Program{}(os, argc, argv);
    if (mine != 0) genesys::atomic<int, genesys::thread_scope::system>(*status).fetch_max(mine);
  }
};

// 128 + SIGPIPE, as shells say it: the program ends as if Linux had ended it for writing to a closed pipe.
constexpr int closed_pipe = 141;

// Writes out what this thread has printed. Returns `status`, or what a failed write makes of it.
GENESYS_KERNEL int written(const char* program, int status) {
  namespace posix = genesys::posix;
  posix::FILE* const to = posix::standard_output();
  if (to != nullptr && posix::fflush(to) == 0 && !posix::ferror(to)) return status;
  if (posix::error_number() == EPIPE) return closed_pipe;
  posix::fprintf(posix::standard_error(), "%s: write error: %m\n", program);
  return 1;
}

// argc: at least `least` + 1, or the program ends with status 2. `--help` prints the usage, unless all are names.
template <class Program>
int kernel_main(Program, int argc, char** argv, int least, const char* usage, const genesys::launch_config& config,
                bool are_names = false) try {
  if (argc == 2 && !are_names && std::strcmp(argv[1], "--help") == 0)
    return std::puts(usage) < 0 || std::fflush(stdout) != 0;
  if (argc <= least) {
    std::fprintf(stderr, "%s\n", usage);
    return 2;
  }
  int code = 0;
  {
    genesys::runtime rt;
    for (const int fd : {0, 1, 2})  // which a policy may deny otherwise
      if (::fcntl(fd, F_GETFD) >= 0) rt.grant(fd);
    const genesys::run kept = rt.attach();
    const std::vector<const char*> arguments(argv, argv + argc);
    auto* const given = const_cast<char* const*>(kept.copy(std::span<const char* const>(arguments)));
    auto* const status = static_cast<int*>(rt.allocate_arena(sizeof(int)));
    *status = 0;
    genesys::launch(rt, config, as_kernel<Program>{}, argc, given, status).drain();
    code = *status;
  }
  if (code == closed_pipe) std::raise(SIGPIPE);
  return code;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, error.what());
  return 1;
}

// The same for a program that has no options: a first argument "--" is dropped.
template <class Program>
int names_main(Program of, int argc, char** argv, const char* usage, const genesys::launch_config& config) {
  if (argc < 2 || std::strcmp(argv[1], "--") != 0) return kernel_main(of, argc, argv, 0, usage, config);
  argv[1] = argv[0];
  return kernel_main(of, argc - 1, argv + 1, 0, usage, config, true);
}
