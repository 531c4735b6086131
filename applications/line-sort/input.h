// SPDX-License-Identifier: Apache-2.0
// The text of all input files, one behind the other, as much at a time as fits. Host code.
#pragma once

#include <string>
#include <vector>

#include "sorter.h"

namespace line_sort {

class input {
 public:
  // Opens the files. Throws std::runtime_error.
  input(const std::vector<std::string>& names, sorter& by);
  ~input();
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  // The size of all files, with a newline each; ~0 if one of them has to be read as it comes.
  u64 size() const { return size_; }
  bool has_ended() const { return next_ == sources_.size(); }
  // Reads into the text from byte `at` on, until `end` or the end of all files. Returns where the text ends now. Each
  // file's last line gets a newline, if it has none. Throws std::runtime_error.
  u64 fill(u64 at, u64 end);

 private:
  bool is_read() const;
  void end_source();

  const std::vector<std::string>& names_;
  sorter& by_;
  std::vector<source> sources_;
  u64 size_ = 0;
  std::size_t next_ = 0;  // source
  u64 read_ = 0;          // bytes of it
  bool needs_newline_ = false;
};

// What read_files() could not do, as text.
std::string message_of(const trouble& wrong, const std::string& name);

}  // namespace line_sort
