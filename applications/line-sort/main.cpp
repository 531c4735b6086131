// SPDX-License-Identifier: Apache-2.0
// Sorts the lines of files (external.h), by kernels or by threads of the CPU (sorter.h).
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "by_kernel.h"
#include "external.h"
#include "options.h"
#include "support/program.h"

namespace {

using namespace line_sort;

// A file that is opened must not become standard input, output or error because that is closed.
void take_standard_descriptors() {
  for (int fd = 0; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      application::fail("/dev/null");
}

int run(const settings& chosen) {
  take_standard_descriptors();
  const std::unique_ptr<sorter> by =
      chosen.by == version::openmp ? make_openmp_sorter(chosen) : std::make_unique<kernel_sorter>(chosen);
  const auto begin = std::chrono::steady_clock::now();
  const totals done = sort_files(chosen, *by);
  if (chosen.statistics)
    std::fprintf(
        stderr,
        "line-sort: lines %llu, bytes %llu, runs %llu, time %.4f s (reading %.3f s, sorting %.3f s, writing %.3f s)\n",
        static_cast<unsigned long long>(done.lines), static_cast<unsigned long long>(done.bytes),
        static_cast<unsigned long long>(done.runs), application::seconds_since(begin), done.reading, done.sorting,
        done.writing);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("line-sort", 2, argc, argv, parse, run); }
