// SPDX-License-Identifier: Apache-2.0
// The files that are written: the result, and one that holds all runs. Host code.
#pragma once

#include <string>

#include "sorter.h"
#include "support/program.h"

namespace line_sort {

// The result. A file of that name is made, if need be, before anything is read; what it holds stays until begin(). A
// regular file is written by position, from where it stands. Functions throw std::runtime_error.
class output {
 public:
  explicit output(const std::string& name);  // empty: standard output
  ~output();
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  std::string name() const { return name_.empty() ? "standard output" : name_; }
  const sink& begin();
  // Moves the file's position to the end of what was written, as write(2) does, and closes the file.
  void end(u64 written);
  bool is(const sink& to) const { return to.fd == to_.fd; }

 private:
  [[noreturn]] void fail() const { application::fail("cannot write: " + name()); }

  std::string name_;
  sink to_{};
};

// Made at the first reserve(), without a name: Linux removes it when the program ends.
class temporary_file {
 public:
  explicit temporary_file(const std::string& folder) : folder_(folder) {}
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  int fd() const { return fd_; }
  // Where `bytes` can be written that nothing else uses. Throws std::runtime_error.
  sink reserve(u64 bytes);
  // Gives the bytes [begin, end) back, where the file system can.
  void free(u64 begin, u64 end) const;

 private:
  std::string folder_;
  int fd_ = -1;
  u64 bytes_ = 0;
};

}  // namespace line_sort
