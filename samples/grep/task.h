// SPDX-License-Identifier: Apache-2.0
// What all parts of the kernel share: the task, the same for all teams, and a team's workspace.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "tree.h"
#include "words.h"

namespace grep {

constexpr unsigned message_bytes = 64;
constexpr unsigned messages_max = 160;  // more than Linux has errors
constexpr long is_own_output = 0;       // as an error, which Linux does not have

// The results of the kernel; changed by atomic operations only.
struct outcome {
  std::uint64_t bytes_read;    // of files
  std::uint32_t matched;       // a file had a match
  std::uint32_t failed;        // a message was printed
  std::uint32_t output_error;  // the errno of a write to standard output, or 0
  std::uint32_t large_files;   // how many files were cut; those beyond large_files_max are not
  std::uint32_t output_lock;   // 1: a team prints lines (lines.h)
  std::uint32_t segments;      // how many `segments` are in use
  std::uint32_t open_files;    // of these, those that are open; while there are open_files_max, no other is cut
};

// A file that is cut into segments, which any teams search (segments.h).
struct large_file {
  int fd;                       // the team that finishes the last segment closes it
  kind type;                    // of the file's node
  std::uint32_t left;           // segments that are not finished; these are changed by atomic operations only:
  std::uint32_t failed;         // a message is printed
  std::uint32_t first_segment;  // of task::segments; they are as many as the file has
  std::uint64_t lines, size;
  const unsigned char* mapped;  // or null
};
constexpr std::uint32_t segments_max = 1u << 20;               // of all large files, if lines are printed
constexpr std::uint64_t is_selected = std::uint64_t{1} << 63;  // a segment has a line to print; else it is their number
constexpr std::uint32_t output_bytes = 64 * 1024;
constexpr std::uint32_t large_files_max = 16384, open_files_max = 256;

// Passed to the kernel by value. Its pointers lead to device memory.
struct task {
  tree files;
  words wanted;
  const char (*messages)[message_bytes];  // the text of each errno; the last one also for larger ones
  outcome* result;
  large_file* large;            // large_files_max of them
  std::uint64_t* segments;      // segments_max of them, if lines are printed: what was found in each
  char* output;                 // output_bytes for each team, if lines are printed
  unsigned char* workspaces;    // of teams that are no blocks: a workspace for each
  std::uint64_t segment_bytes;  // larger files are cut into segments of this size
  bool count;                   // -c
  bool invert;                  // -v: lines without a word count
  bool maps;                    // files are mapped, where they can be
  bool lines;                   // lines are printed: neither -l nor -c
  bool numbers;                 // -n, with their numbers
  // Lines are printed to this regular file, which is not searched; no file has the number 0.
  std::uint64_t out_device, out_file;
  bool name_given, name_found;  // -c and lines: the name is printed for files of the command line; for others
};

constexpr unsigned chunk_bytes = 32 * 1024;
constexpr unsigned records_bytes = 24 * 1024;
constexpr unsigned entries_max = records_bytes / 24;  // 24 bytes is the shortest record

// An entry of a directory that becomes a node.
struct entry {
  std::uint32_t units;   // units of the pool for the entries before this one
  std::uint16_t record;  // offset of its record
  std::uint8_t name_length;
  kind type;
};

struct directory_part {
  alignas(8) unsigned char records[records_bytes];  // as getdents64 gives them
  entry entries[entries_max];
};

constexpr unsigned prefix_bytes = 6;  // "grep: "

// A line of output. The path is built in the place from which it is printed, with space before and after it. So one
// write prints a whole line, and lines of several teams do not mix.
struct output_line {
  char text[prefix_bytes + path_bytes_max + 1 + message_bytes + 4];

  GENESYS_KERNEL char* path() { return text + prefix_bytes; }
};

// What the threads of a team share: a block in shared memory, others in device memory. Between stores of one thread and
// loads of others is a barrier: Team::sync(), or a call of the team, which has one before and one after it.
template <class Team>
struct workspace {
  std::uint64_t bytes_read;  // by this team
  std::uint64_t sum;         // of a value of each thread
  union {
    alignas(16) unsigned char data[chunk_bytes];  // of a file
    directory_part directory;
  };
  output_line line;
  struct stat status;
  places added;                // reserved for the directory's entries
  std::uint32_t entries;       // the number of these entries
  std::uint32_t node;          // the node in work
  std::uint32_t behind_word;   // whether the byte before data[0] is one of a word
  std::uint32_t line_counted;  // whether the line that continues in the next piece is counted
  std::uint32_t first_found;   // the complement of the first byte, of those that the threads look for
  std::uint32_t number;        // of the large file, or of teams that are not finished with it
};

// The block's copy of words::pair_bits, in shared memory.
struct pair_table {
  std::uint32_t bits[pairs / 32];
};
GENESYS_KERNEL std::uint32_t* pair_bits() { return genesys::shared<pair_table>().bits; }

template <class Team>
GENESYS_KERNEL workspace<Team>& workspace_of(const task& work) {
  return reinterpret_cast<workspace<Team>*>(work.workspaces)[Team::number()];
}
template <>
GENESYS_KERNEL workspace<block_team>& workspace_of<block_team>(const task&) {
  return genesys::shared<workspace<block_team>>();
}

static_assert(sizeof(workspace<block_team>) + sizeof(pair_table) <= 48 * 1024, "what a CUDA block gets without asking");

}  // namespace grep
