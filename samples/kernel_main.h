// SPDX-License-Identifier: Apache-2.0
// Runs a kernel as a program: it gets the arguments, and its result is the exit status.
#pragma once

#include <genesys/genesys.h>

#include <csignal>
#include <cstdio>
#include <cstring>
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

// argc: at least `least` + 1, or the program ends with status 2. `--help` prints the usage.
template <class Program>
int kernel_main(Program, int argc, char** argv, int least, const char* usage, const genesys::launch_config& config) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) return std::puts(usage) < 0;
  if (argc <= least) {
    std::fprintf(stderr, "%s\n", usage);
    return 2;
  }
  int code = 0;
  {
    genesys::runtime rt;
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
}
