// SPDX-License-Identifier: Apache-2.0
// The control-flow graph of a function: basic blocks, their successors, and which of them are in a loop.
#pragma once

#include <vector>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

struct flow_graph {
  struct block {
    int first = 0, end = 0;  // instructions [first, end)
    std::vector<int> next;   // blocks; none: the function ends
    int loop = -1;           // a number of the strongly connected component, if the block is in a cycle
  };
  std::vector<block> blocks;
  std::vector<int> block_of;  // of each instruction
};

flow_graph graph_of(const function& one);

}  // namespace genesys::schedule
