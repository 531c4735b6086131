// SPDX-License-Identifier: Apache-2.0
#include "trace_python.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace genesys::command {
namespace {

constexpr const char* in_python[] = {"plot", "compare"};
constexpr char how_to_install[] =
    "Install it, best in a virtual environment, from the folder of genesys's source:\n"
    "  python3 -m venv ~/.venv-genesys && . ~/.venv-genesys/bin/activate\n"
    "  pip install './python[plot]'\n";

// Without a traceback if the package is missing, or one of the libraries that it needs.
constexpr char look[] =
    "import sys\n"
    "try: import genesys_trace\n"
    "except ModuleNotFoundError as missing: sys.exit(9)\n";
constexpr int status_missing = 9;

// Whether python3 has the package; otherwise the error is printed.
bool has_package() {
  const char* const words[] = {"python3", "-c", look, nullptr};
  pid_t pid = -1;
  if (const int failed = ::posix_spawnp(&pid, words[0], nullptr, nullptr, const_cast<char**>(words), environ);
      failed != 0) {
    std::cerr << "genesys: plots and comparisons need python3: " << std::strerror(failed) << "\n";
    return false;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == status_missing)
    std::cerr << "genesys: python3 does not have the package genesys_trace. " << how_to_install;
  return false;
}

}  // namespace

bool is_in_python(const char* word) {
  return std::any_of(std::begin(in_python), std::end(in_python),
                     [word](const char* one) { return std::strcmp(word, one) == 0; });
}

int run_python(char** words) {
  if (!has_package()) return 1;
  std::string python = "python3", option = "-m", package = "genesys_trace";
  std::vector<char*> all{python.data(), option.data(), package.data()};
  for (; *words != nullptr; ++words) all.push_back(*words);
  all.push_back(nullptr);
  ::execvp(all[0], all.data());
  std::cerr << "genesys: cannot run python3: " << std::strerror(errno) << "\n";
  return 1;
}

}  // namespace genesys::command
