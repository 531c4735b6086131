// SPDX-License-Identifier: Apache-2.0
// A file that is in Linux's page cache and has no name. Its word i is word_of(i). The bench's main thread owns it;
// kernels and native threads read it.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"

namespace baseline {

using word = std::uint64_t;
GENESYS_KERNEL constexpr word word_of(std::uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15u; }

// The index of the piece that is read as the i-th, of `count` pieces, a power of two: each once, in an order that looks
// random.
GENESYS_KERNEL constexpr unsigned scattered(unsigned i, unsigned count) {
  unsigned x = (i * 0x9e3779b1u) & (count - 1);
  x = ((x ^ x >> 7) * 0x85ebca6bu) & (count - 1);
  return x ^ x >> 5;
}

class cached_file {
 public:
  // Throws measure::failure if the file cannot be made. `bytes` is a multiple of 1 MiB.
  cached_file(const std::string& folder, std::uint64_t bytes, int flags = 0) {
    const std::string name = folder + "/genesys-bench-" + std::to_string(::getpid());
    fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0600);
    if (fd_ < 0 || ::unlink(name.c_str()) != 0) throw measure::failure("cannot make a file in " + folder);
    fill(bytes, folder);
  }
  // In Linux's internal tmpfs.
  explicit cached_file(std::uint64_t bytes) : fd_(::memfd_create("genesys-bench", MFD_CLOEXEC)) {
    if (fd_ < 0) throw measure::failure("no file in tmpfs: memfd_create failed");
    fill(bytes, "tmpfs");
  }
  ~cached_file() { ::close(fd_); }
  cached_file(const cached_file&) = delete;
  cached_file& operator=(const cached_file&) = delete;

  int fd() const { return fd_; }

 private:
  void fill(std::uint64_t bytes, const std::string& folder) {
    std::vector<word> content((1u << 20) / sizeof(word));
    for (std::uint64_t at = 0; at < bytes; at += 1u << 20) {
      for (std::size_t i = 0; i < content.size(); ++i) content[i] = word_of(at / sizeof(word) + i);
      if (::write(fd_, content.data(), 1u << 20) != 1 << 20) throw measure::failure("cannot fill a file in " + folder);
    }
  }

  int fd_;
};

// The same file, opened with other flags. If Linux refuses, why_not() is the errno, otherwise 0.
class opened_again {
 public:
  opened_again(int fd, int flags) : fd_(::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_CLOEXEC | flags)) {}
  ~opened_again() {
    if (fd_ >= 0) ::close(fd_);
  }
  opened_again(const opened_again&) = delete;
  opened_again& operator=(const opened_again&) = delete;
  int fd() const { return fd_; }
  int why_not() const { return error_; }

 private:
  const int fd_, error_ = fd_ < 0 ? errno : 0;
};

}  // namespace baseline
