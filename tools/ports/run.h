// SPDX-License-Identifier: Apache-2.0
// Runs a ported program in a kernel: `port NAME [THREADS FOLDER]`. One thread runs it, or several run it at once, each
// with its standard output in a file FOLDER/RANK. The greatest exit status of the threads is the exit status.
#pragma once

#include <genesys/genesys.h>
#include <genesys/shadow.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Programs::run(number) runs a program, Programs::names has their names, with a null at the end.
template <class Programs>
struct run_ported {
  GENESYS_KERNEL void operator()(genesys::os os, int number, const char* folder, int* status) const {
    namespace posix = genesys::posix;
    posix::library c(os);
    if (folder != nullptr) {
      char path[512];
      posix::snprintf(path, sizeof path, "%s/%u", folder, genesys::thread_rank());
      if (posix::freopen(path, "w", posix::standard_output()) == nullptr) posix::perror(path);
    }
    const int mine = Programs::run(number);
    if (mine != 0) genesys::atomic<int, genesys::thread_scope::system>(*status).fetch_max(mine);
  }
};

template <class Programs>
int port_main(int argc, char** argv) {
  int number = 0;
  while (argc > 1 && Programs::names[number] != nullptr && std::strcmp(argv[1], Programs::names[number]) != 0) ++number;
  if (argc < 2 || argc == 3 || Programs::names[number] == nullptr) {
    std::fprintf(stderr, "usage: %s NAME [THREADS FOLDER]\nNAME:", argv[0]);
    for (const char* const* each = Programs::names; *each != nullptr; ++each) std::fprintf(stderr, " %s", *each);
    std::fputs("\n", stderr);
    return 2;
  }
  const unsigned threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  genesys::runtime rt;
  genesys::run kept = rt.attach();
#if defined(__CUDACC__)
  // Calls through pointers and recursion: the compiler cannot know how deep the stack becomes. Without a GPU it fails.
  (void)cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10);
#endif
  const char* const folder = argc > 3 ? kept.copy(argv[3]) : nullptr;
  auto* const status = static_cast<int*>(rt.allocate_arena(sizeof(int)));
  *status = 0;
  genesys::launch(rt, {.threads = {threads}}, run_ported<Programs>{}, number, folder, status).drain();
  return *status;
}
