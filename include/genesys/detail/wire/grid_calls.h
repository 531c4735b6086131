// SPDX-License-Identifier: Apache-2.0
// The layout of grid calls in device memory: a record for each launch, and one for each call in flight.
// team/grid_records.h has the invariants; src/host/grid_check.h checks the records when the kernels have ended.
#pragma once

#include "genesys/detail/wire/device_context.h"

namespace genesys::detail::wire {

constexpr u32 grids_max = 256;  // a GPU runs 128 at a time
constexpr u32 grids_near = 16;  // a launch uses one of this many records, from its number on

enum class grid_stage : u32 { begun = 0, submitted = 1, done = 2 };

struct alignas(64) grid_call_record {
  u64 word;             // {next : 32 | live : 32}
  u32 arrived;          // blocks that have arrived, for a producer
  u32 passed;           // blocks that have passed the call
  u32 stage;            // grid_stage
  u32 number;           // of the call, for drain()
  u64 completion_slot;  // of a ticket in flight: {completion slot : 32 | phase : 32}
  i64 value;            // when done
};
static_assert(sizeof(grid_call_record) == 64);

struct alignas(64) grid_launch_record {
  u64 launch;   // launch_number() + 1; 0: free
  u64 use;      // {busy : 1 | pins : 15 | missing : 48}
  u64 epoch;    // {unique : 32 | base : 32}
  u32 decided;  // number of ordinals decided so far
  u32 run;      // for drain()
  u32 blocks;
};
static_assert(sizeof(grid_launch_record) == 64);

struct alignas(64) grid_table {
  u32 lock;  // 1 while a launch gets a record
  u32 full;
  u32 epochs;      // epochs handed out so far
  u32 calls_log2;  // call records of each launch record
  grid_launch_record records[grids_max];
  // followed by grid_call_record[grids_max << calls_log2]
};

constexpr u64 grid_busy = u64{1} << 63, grid_pin = u64{1} << 48;
GENESYS_KERNEL constexpr u64 grid_missing(u64 use) { return use & (grid_pin - 1); }
constexpr u32 no_launch_record = ~u32{0};

// A block's part in a call.
enum class grid_role : u32 {
  makes,    // it makes the call
  waits,    // another block makes it, and all get the result
  runs_on,  // another block makes it, or will
  refused,  // no block makes it: -EAGAIN
};
struct grid_slot {
  grid_role part;
  u32 slot;    // index of the call record + 1; 0: the block has passed it
  bool first;  // this block has decided
};

GENESYS_KERNEL constexpr u32 grid_next(u64 word) { return static_cast<u32>(word >> 32); }
GENESYS_KERNEL constexpr u32 grid_live(u64 word) { return static_cast<u32>(word); }

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
