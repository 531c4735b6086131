// SPDX-License-Identifier: Apache-2.0
// What sorts: the memory for a text and its lines, and the steps over it, all threads of a GPU or of the CPU together.
// by_kernel.h launches kernels, which make the system calls; by_openmp.cpp does the same with threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lines.h"
#include "options.h"
#include "runs.h"

namespace line_sort {

// An input file. A regular file is read by position, up to the size that it has when it is opened; others as they come.
struct source {
  int fd;
  u64 begin, end;  // of a regular file; both 0: read as it comes
  u32 last;        // the last byte of a regular file
};

struct read_task {
  int fd;
  u32 number;  // of the source, for messages
  u64 at;      // in the file
  u64 to;      // in the text
  u64 bytes;
  int ends_with = -1;  // what the last byte has to be; -1: any
};

struct sink {
  int fd;
  u64 at;         // in the file
  bool in_order;  // a pipe, a terminal, or a file that is appended to
};

// What a step could not do: an errno, and the number of a source where that matters.
struct trouble {
  int error = 0;
  u32 number = 0;
};
constexpr int file_shrank = -1, file_changed = -2;  // as `error`

class sorter {
 public:
  virtual ~sorter() = default;

  // Bytes of memory that can be used in all.
  virtual u64 memory() const = 0;
  // Memory for a text, with text_padding; all others are relative to it.
  virtual void allocate_text(u64 bytes) = 0;
  virtual void allocate_entries(u64 lines) = 0;

  // Opens files. An error is in source::fd, as -errno.
  virtual std::vector<source> open(const std::vector<std::string>& names) = 0;
  virtual trouble read(const std::vector<read_task>& tasks) = 0;
  // Reads a source as it comes, until `bytes` are there or it ends. Returns the number, or -errno.
  virtual long read_stream(int fd, u64 to, u64 bytes) = 0;
  virtual u8 byte_at(u64 at) = 0;
  virtual void put_newline(u64 at) = 0;
  // Copies text towards its front.
  virtual void move_down(u64 from, u64 to, u64 bytes) = 0;

  virtual std::vector<piece_lines> count(const std::vector<piece>& pieces) = 0;
  // Notes the lines of the pieces, of which the first one of piece i is entry first[i], and sorts all `lines`.
  virtual void sort(const std::vector<piece>& pieces, const std::vector<u64>& first, u64 lines) = 0;
  // Writes the sorted lines; `written` grows. Returns an errno, or 0.
  virtual int write(const sink& to, u64 lines, u64& written) = 0;
  // Finds what of the parts can be written: their results (runs.h).
  virtual void take(std::vector<run_part>& parts) = 0;
};

std::unique_ptr<sorter> make_openmp_sorter(const settings& chosen);

}  // namespace line_sort
