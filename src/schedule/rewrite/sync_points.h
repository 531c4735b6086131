// SPDX-License-Identifier: Apache-2.0
// Where the threads of a block wait for each other. A thread that has left takes no part in that, so the rewriter must
// know each such instruction. What is not known to be plain counts as `other`.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

enum class sync {
  none,      // concerns one thread: arithmetic, memory, atomics, branches
  barrier,   // all threads of the block that have not ended: `bar.sync 0;`
  reducing,  // the same with a result in the program already: `bar.red.popc.u32 %r1, 0, %p1;`
  warp,      // lanes of a warp: shuffles, votes, matrices, bar.warp.sync, volatile shared memory
  object,    // mbarriers
  counted,   // a barrier with a number of threads, bar.arrive, or a barrier whose number is in a register
  other      // clusters, bulk copies, opcodes that are not known
};

struct sync_point {
  sync what = sync::none;
  int barrier = -1;         // barrier, reducing: its number
  bool is_aligned = false;  // barrier: all threads of a warp execute it together
};

// Of the instruction alone; calls are `none`.
sync_point sync_of(const instruction& one);

// What functions do, their callees included.
struct callee_facts {
  bool has_sync = false;
  bool has_copies = false;  // cp.async
  bool may_exit = false;    // the thread may end there
  bool has_loop = false;
};

class callees {
 public:
  explicit callees(const module& all) : all_(all) {}
  callee_facts of(const instruction& call);

 private:
  static constexpr int depth_max = 48;
  callee_facts of(std::string_view name, int depth);

  const module& all_;
  std::unordered_map<std::string_view, callee_facts> done_;
};

// `a barrier`, for messages.
const char* spelled(sync what);

}  // namespace genesys::schedule
