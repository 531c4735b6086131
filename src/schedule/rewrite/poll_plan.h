// SPDX-License-Identifier: Apache-2.0
// Where the polls of one kernel are, and why they are sound there. Nothing here depends on how a poll is written.
#pragma once

#include <string_view>
#include <vector>

#include "schedule/rewrite/rewrite.h"
#include "schedule/rewrite/sync_points.h"

namespace genesys::schedule {

// A barrier of the kernel that becomes a vote.
struct planned_vote {
  int instruction = 0;
  bool looks = false;       // it loads the flag, if the time has come
  std::uint32_t every = 1;  // passes for each vote; the others are barriers. All threads of a block count alike
};

// The lanes of a warp vote before a step that they take together.
struct planned_warp_vote {
  int instruction = 0;
  bool looks = false;
};

// A poll before an instruction, the first one of a loop.
struct planned_poll {
  int instruction = 0;
  std::uint32_t every = 1;   // passes for each reading of the clock
  std::uint32_t copies = 1;  // the body of the loop stands there so often
  int latch = 0;             // the branch at the end of the loop, if it is copied
};

struct poll_plan {
  bool votes_at_entry = false;
  std::vector<planned_vote> votes;  // by instruction
  std::vector<planned_poll> polls;  // by instruction
  std::vector<planned_warp_vote> warp_votes;
  // Polls in loops and votes of warps leave by a vote at this barrier: they arrive there in place of the barrier that
  // comes next in their thread. -1: they leave at once.
  int arrive_at = -1;
  bool waits_for_copies = false;  // cp.async may be under way when a thread leaves
  std::uint32_t loops = 0;
  std::vector<not_polled> refused;
};

// `text`: that the module was made of.
poll_plan plan_of(const function& one, std::string_view text, callees& called, variant wanted,
                  const rewrite_settings& settings);

}  // namespace genesys::schedule
