// SPDX-License-Identifier: Apache-2.0
// What every part of the kernel is handed: the task, the same for all blocks, and the block's own workspace in shared
// memory.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "tree.h"
#include "words.h"

namespace grep {

constexpr unsigned message_bytes = 64;
constexpr unsigned messages_max = 160;  // errors that Linux knows, and some to come

// What the kernel leaves behind; changed by atomic operations only.
struct outcome {
  std::uint64_t bytes_read;    // of files
  std::uint32_t matched;       // some file had a match
  std::uint32_t failed;        // some message was printed
  std::uint32_t output_error;  // standard output took no more: the errno
};

// Passed to the kernel by value; what it points to is device memory.
struct task {
  tree files;
  words wanted;
  const char (*messages)[message_bytes];  // what to say for each errno; the last one for those past it
  outcome* result;
  bool count;       // -c
  bool name_given;  // -c: the name stands before the count even of a file that the command line names
};

constexpr unsigned chunk_bytes = 32 * 1024;
constexpr unsigned records_bytes = 24 * 1024;
constexpr unsigned entries_max = records_bytes / 24;  // 24 bytes is the shortest record

// Something in a directory that is worth a node.
struct entry {
  std::uint32_t units;   // of the pool that are taken by those before it
  std::uint16_t record;  // where its record begins
  std::uint8_t name_length;
  kind type;
};

struct directory_part {
  alignas(8) unsigned char records[records_bytes];  // as getdents64 gives them
  entry entries[entries_max];
};

constexpr unsigned prefix_bytes = 6;  // "grep: "

// A line of output: the path is put together where it will be printed from, with room before it and behind it, so that
// one write does for a whole line and lines of several blocks do not mix.
struct output_line {
  char text[prefix_bytes + path_bytes_max + 1 + message_bytes + 4];

  GENESYS_KERNEL char* path() { return text + prefix_bytes; }
};

// The block's shared memory. Where one thread writes and others read, or the other way round, a barrier stands between:
// sync_block(), or a call to Linux at block scope, which has one on either side.
struct workspace {
  union {
    alignas(16) unsigned char data[chunk_bytes];  // of a file
    directory_part directory;
  };
  std::uint32_t pair_bits[pairs / 32];
  output_line line;
  struct stat status;
  std::uint64_t bytes_read;    // by this block
  std::uint64_t lines;         // with a word in them, in this file
  places added;                // room for the directory's entries
  std::uint32_t entries;       // how many of them
  std::uint32_t node;          // the node at work
  std::uint32_t line_counted;  // the line that goes on in the next chunk has been
};

static_assert(sizeof(workspace) <= 48 * 1024, "what a CUDA block gets without asking");

}  // namespace grep
