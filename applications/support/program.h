// SPDX-License-Identifier: Apache-2.0
// What the host code of the applications shares: errors, descriptors, and the frame of main().
#pragma once

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

namespace application {

// Throws, with errno's text.
[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

class descriptor {
 public:
  explicit descriptor(int fd = -1) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Writes out what was printed. Throws std::runtime_error: this write, or an earlier one, has failed.
inline void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw std::runtime_error("cannot write standard output");
}

// main(): parses the command line, runs, prints an exception, and returns the exit status. `parse` returns nothing if
// the program must end with the exit status that it stores.
template <class Parse, class Run>
int run_program(const char* name, int failed, int argc, char** argv, Parse parse, Run run) {
  int exit_code = failed;
  const auto chosen = parse(argc, argv, exit_code);
  if (!chosen) return exit_code;
  try {
    return run(*chosen);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return failed;
  }
}

}  // namespace application
