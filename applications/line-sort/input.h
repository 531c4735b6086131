// SPDX-License-Identifier: Apache-2.0
// The text of all input files, one after the other, as much at a time as fits. Host code.
#pragma once

#include <string>
#include <vector>

#include "sorter.h"

namespace line_sort {

constexpr u64 bytes_of_read = 128 * 1024;

class input {
 public:
  // Looks at the files, and opens none: fill() does. Throws std::runtime_error if one of them cannot be read.
  input(const std::vector<std::string>& names, sorter& by);
  ~input();
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  // The size of all files, with a newline each; ~0 if one of them is a pipe or a device.
  u64 size() const { return size_; }
  bool has_ended() const { return next_ == names_.size(); }
  // Reads into the text from byte `at` on, until `end` or the end of all files. Returns where the text ends now. Each
  // file's last line gets a newline, if it has none. Throws std::runtime_error.
  u64 fill(u64 at, u64 end);

 private:
  const source& now() const { return sources_[next_ - first_]; }
  bool is_open() const { return next_ < first_ + sources_.size(); }
  bool is_read() const;
  void end_source();
  void open_more();
  bool has_descriptors() const;
  void close_all();

  const std::vector<std::string>& names_;
  sorter& by_;
  u64 size_ = 0;
  std::vector<bool> may_wait_;   // of each file, when it is opened: for the writer of a pipe
  std::vector<source> sources_;  // files that are open, in order
  std::size_t first_ = 0;        // the number of the first one
  std::size_t next_ = 0;         // the number of the one that is read
  std::size_t open_max_ = 128;   // files at a time; fewer if the process may open fewer
  u64 read_ = 0;                 // bytes of it
  bool needs_newline_ = false;
};

// What read_files() could not do, as text.
std::string message_of(const trouble& wrong, const std::string& name);

}  // namespace line_sort
