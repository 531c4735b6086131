// SPDX-License-Identifier: Apache-2.0
// A tight loop becomes the inner one of two loops, and the outer one polls:
//
//   OUTER: poll; compute the limit; LOOP: body; @go bra LOOP; test; @p bra OUTER;
//
// A loop of one basic block stays one, in which ptxas keeps operands in uniform registers and unrolls. `go` implies
// that the original loop would go on; it becomes false after a number of iterations at most, so the outer loop decides
// by the test of the original. Nothing here depends on how a poll is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "schedule/rewrite/natural_loops.h"

namespace genesys::schedule {

struct strip {
  enum class until {
    count,    // a counter of its own is 0, or the loop ends
    order,    // the loop's variable reaches a limit, by `<` or `>`
    distance  // the loop's variable is equal to a limit
  };
  until ends = until::count;
  int before = 0;  // the inner loop ends before this instruction: the test of the original, or its latch
  int latch = 0;
  std::string_view label;  // of the loop, as the latch names it
  std::string_view guard;  // of the latch
  bool guard_is_negated = false;

  // Of the loop's variable, if it is used.
  std::string_view type;    // of the test: `s32`
  std::string_view tested;  // the register that is tested
  std::string_view from;    // the register that has the variable's value where an iteration begins
  std::string bound;        // with which it is compared: a register that the loop does not change, or a number
  std::string_view by;      // the register that is added; empty: the number `step`
  std::int64_t step = 0;
  bool is_down = false;
};

// More iterations than these do not stand between two polls.
inline constexpr std::uint32_t strip_iterations_most = 4'096;

// For a loop to whose first instruction only one branch leads, its latch. `divergent`: if not null, registers on which
// the length of a strip must not depend. Nothing: the loop must stay as it is, for example because ptxas may fuse
// operations of two iterations.
std::optional<strip> strip_of(const module& all, std::string_view text, const function& one, const flow_graph& graph,
                              const natural_loop& loop, const std::unordered_set<int>* divergent = nullptr);

}  // namespace genesys::schedule
