// SPDX-License-Identifier: Apache-2.0
// The file of a recording (docs/recordings.md, The file): a file_header, then sections, all little-endian. A file that
// its recorder did not end, or that ends inside a section, is readable up to there. The recorder writes it
// (recorder.h); the command and the reader in Python read it. record.h packs the calls of a section.
#pragma once

#include <cstdint>

namespace genesys::trace {

inline constexpr char file_magic[8] = {'g', 'e', 'n', 'e', 's', 'y', 's', 't'};
inline constexpr std::uint32_t file_version = 3;

struct file_header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_bytes;  // of this header
  std::uint32_t pid;
  std::uint32_t runtime;  // the number of the runtime in its process, from 0
  std::uint64_t started_realtime_ns;
  char describe[480];  // runtime::describe(), cut off; ends with a zero
  char reserved[512];
};
static_assert(sizeof(file_header) == 1024);

enum class section_kind : std::uint16_t {
  calls = 1,    // of one worker
  clocks = 2,   // a pair of readings of two clocks
  dropped = 3,  // records of a worker that are lost
  run = 4,      // the name of a run
  end = 5,      // the recorder has written all
};

inline constexpr std::uint16_t no_worker = 0xffff;

// Each section begins with this. A reader passes over sections of other kinds.
//   calls    `count` records (record.h), then the place of each in words of 8 bytes, as 2-byte numbers; then zeros up
//            to a multiple of 8 bytes. `first` is the sequence number of the first, among those of the worker.
//   clocks   a clocks_pair
//   dropped  nothing: `count` records are missing, from sequence number `first` on
//   run      the name of run number `first`; then zeros
//   end      nothing: no section follows
struct section_header {
  std::uint32_t bytes;  // with this header; a multiple of 8
  section_kind kind;
  std::uint16_t worker;  // or no_worker: of the threads that are no workers
  std::uint64_t first;
  std::uint32_t count;
  std::uint32_t record_words;  // calls: the words of all records
};
static_assert(sizeof(section_header) == 24);
inline constexpr std::uint32_t section_bytes_max = 1 << 24;  // the recorder's are much shorter

// Readings at one time, apart by at most `within_ticks`.
struct clocks_pair {
  std::uint64_t ticks, monotonic_ns, realtime_ns;
  std::uint64_t within_ticks;
};
static_assert(sizeof(clocks_pair) == 32);

}  // namespace genesys::trace
