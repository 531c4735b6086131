// SPDX-License-Identifier: Apache-2.0
// The violations of ../violations.h on a GPU: bin/assertions/violations [NAME]. With a name it runs that kernel, which
// has to print the invariant and trap. A trap ends the CUDA context. So without a name the program runs itself once for
// each violation, with a time limit, and counts the violations found.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "violations.h"

namespace {

constexpr int ended_without_trap = 3, other_error = 4, found_trap = 5;
constexpr int violations =
#define GENESYS_COUNT_VIOLATION(violation) +1
    0 GENESYS_VIOLATIONS(GENESYS_COUNT_VIOLATION);

#if defined(__CUDACC__)
using namespace assertions;

static_assert(GENESYS_ASSERTIONS, "this program is built with assertions");

constexpr unsigned limit_s = 60;

template <class Violation>
__global__ void violate(device_context a) {
  Violation{}(a);
}

// The exit status of this process.
template <class Violation>
int plant() {
  const world w;
  violate<Violation><<<1, 1>>>(w.at);
  const cudaError_t launched = cudaGetLastError(), said = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(launched != cudaSuccess ? launched : said));
  std::fflush(stdout);
  if (launched != cudaSuccess) return other_error;
  if (said == cudaSuccess) return ended_without_trap;
  return said == cudaErrorLaunchFailure || said == cudaErrorIllegalInstruction || said == cudaErrorAssert ? found_trap
                                                                                                          : other_error;
}

int plant_by_name(const char* name) {
#define GENESYS_PLANT_VIOLATION(violation) \
  if (std::strcmp(name, #violation) == 0) return plant<violation>();
  GENESYS_VIOLATIONS(GENESYS_PLANT_VIOLATION)
  std::fprintf(stderr, "there is no violation '%s'\n", name);
  return 2;
}

bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

// Whether the violation is found: this program, run for it, prints the invariant and ends with a trap.
bool is_found(const char* program, const char* name, const char* message) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(limit_s);
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl(program, program, name, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n; (n = ::read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool trapped = WIFEXITED(status) && WEXITSTATUS(status) == found_trap;
  const bool named = text.find(std::string(": ") + message + ": thread (0,0,0) of block (0,0,0)") != std::string::npos;
  std::printf("%s  %s\n", trapped && named ? "pass" : "FAIL", name);
  if (!trapped || !named)
    std::printf("      expected: %s; status %#x, and it said:\n%s\n", message, status, text.c_str());
  return trapped && named;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int passed = 0, failed = 0;
#if defined(__CUDACC__)
  if (argc == 2) return plant_by_name(argv[1]);
  // (In a child, too: the parent of processes that use CUDA does not use it itself.)
  const pid_t looks = ::fork();
  if (looks == 0) ::_exit(has_gpu() ? 0 : 1);
  int none = 1;
  ::waitpid(looks, &none, 0);
  if (none == 0) {
#define GENESYS_RUN_VIOLATION(violation) \
  ++(is_found("/proc/self/exe", #violation, violation::message) ? passed : failed);
    GENESYS_VIOLATIONS(GENESYS_RUN_VIOLATION)
  }
#else
  (void)argc, (void)argv;
#endif
  if (passed + failed != violations) {
    std::printf("%d passed, %d failed, %d skipped\n", passed, failed, violations - passed - failed);
  } else {
    std::printf("%d passed, %d failed\n", passed, failed);
  }
  return failed == 0 ? 0 : 1;
}
