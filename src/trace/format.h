// SPDX-License-Identifier: Apache-2.0
// The file of a recording (docs/trace-format.md): a file_header, then records of 128 bytes each, little-endian. A file
// that its recorder did not close, or that ends inside a record, is readable up to there. The recorder writes it
// (recorder.h); the command and the reader in Python read it.
#pragma once

#include <cstdint>

namespace genesys::trace {

inline constexpr char file_magic[8] = {'g', 'e', 'n', 'e', 's', 'y', 's', 't'};
inline constexpr std::uint32_t file_version = 1;

struct file_header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t record_bytes;  // of each record that follows
  std::uint32_t pid;
  std::uint32_t runtime;  // the number of the runtime in its process, from 0
  std::uint64_t started_realtime_ns;
  char describe[480];  // runtime::describe(), cut off; ends with a zero
  char reserved[512];
};
static_assert(sizeof(file_header) == 1024);

enum class record_kind : std::uint8_t {
  call = 1,     // a call that ended
  clocks = 2,   // a pair of readings of two clocks
  dropped = 3,  // records of a thread that the recorder could not write
};

// How a call was made.
enum class made_by : std::uint8_t {
  worker = 0,       // by a worker, at once
  worker_ring = 1,  // by io_uring, for a worker
  later = 2,        // by a worker, after the call was parked or held
  other = 3,        // by none of them: the parking thread completed it, or the end of the runtime canceled it
};

enum record_flags : std::uint8_t {
  flag_again = 1,      // Linux was not asked: the leader waits for the descriptor, and makes the call again
  flag_malformed = 2,  // the request was invalid
  flag_dependent = 4,  // it followed an earlier call; its `published` is not known
};

inline constexpr std::uint16_t no_worker = 0xffff;

// Times are in ticks (ticks.h); 0: not known.
struct call_times {
  std::uint64_t taken;      // a worker dequeued the request
  std::uint64_t started;    // a thread began to make the call
  std::uint64_t ended;      // Linux returned
  std::uint64_t completed;  // the completion is written
};

struct call_record {
  record_kind kind;
  made_by by;
  std::uint8_t flags;
  std::uint8_t scope;      // wire::scope_kind
  std::uint16_t number;    // of the call in Linux, or a wire::internal_number
  std::uint16_t worker;    // the worker that completed it, or no_worker
  std::uint64_t sequence;  // of this worker's records, from 0
  std::uint64_t args[6];   // as the host got them: a staged pointer is the address of a bounce buffer
  std::int64_t result;     // Linux's result, or -errno
  call_times at;
  std::uint32_t block;      // its low 20 bits
  std::uint16_t run;        // the number of the run
  std::uint8_t warp;        // in its block, the low 5 bits
  std::uint8_t mode;        // wire::wait_mode
  std::uint32_t published;  // the device's clock at publishing, its low 19 bits, in units of 1,024 ns
  std::uint32_t reserved[3];
};
static_assert(sizeof(call_record) == 128);

struct clocks_record {
  record_kind kind;
  std::uint8_t unused[7];
  std::uint64_t ticks, monotonic_ns, realtime_ns;
  std::uint64_t within_ticks;  // the three were read within so many ticks
  std::uint8_t more[88];
};
static_assert(sizeof(clocks_record) == 128);

struct dropped_record {
  record_kind kind;
  std::uint8_t unused[5];
  std::uint16_t worker;
  std::uint64_t first, count;  // so many records are missing, of sequence numbers from `first` on
  std::uint8_t more[104];
};
static_assert(sizeof(dropped_record) == 128);

}  // namespace genesys::trace
