// SPDX-License-Identifier: Apache-2.0
// Calls getppid many times and prints the mean time of a call in ns, as the program itself sees it (tools/dev/study).
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const long calls = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) syscall(SYS_getppid);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.1f\n", took.count() / static_cast<double>(calls));
}
