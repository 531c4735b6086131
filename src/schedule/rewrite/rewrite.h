// SPDX-License-Identifier: Apache-2.0
// Instrumented PTX: a text in PTX goes in, the same text with polls comes out, and a description of what was done. A
// kernel with polls can be aborted: its blocks leave early. A timed kernel tells how long its blocks run. Which variant
// a kernel gets is chosen elsewhere. Why all of this is sound: docs/schedule-rewrite.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/classify/verdict.h"

namespace genesys::schedule {

enum class variant {
  none,        // the kernel stays as it is
  timed,       // no polls: sampled blocks measure their time; also for kernels that are not preemptible
  entry,       // a poll where the kernel begins: blocks that have not started are dropped
  loops,       // also in loops: blocks that run leave early
  timed_loops  // both: a launch that measures can be aborted. What cannot have polls becomes `timed`
};

struct rewrite_settings {
  // A thread looks at its flag again after this time, 2 us at 1.75 GHz. A warp that looks for its whole block does so
  // after a quarter of it: then nearly each of its votes looks.
  std::uint32_t gap_clocks = 3'500;
  std::uint32_t rare_clocks = 14'000;        // a warp's vote waits for what it loads if the last look was longer ago
  std::uint32_t strip_instructions = 384;    // in a tight loop the clock is read once in about so many instructions
  std::uint32_t strip_max = 64;              // and at least once in so many iterations
  std::uint32_t memory_instructions = 64;    // a load or an atomic of global memory counts as so many
  std::uint32_t barrier_instructions = 6;    // and a barrier of the block
  std::uint32_t short_instructions = 2'000;  // a loop that runs fewer in all, for certain, gets no poll
  // A loop without barriers gets polls though a loop around it votes. All barriers become votes then.
  bool polls_within_votes = false;
};

struct poll {
  enum class kind {
    entry_thread,  // each thread decides for itself where the kernel begins
    entry_block,   // the threads of a block vote where it begins
    vote,          // the vote takes the place of a barrier of the kernel
    thread,        // in a loop; the thread leaves by itself
    warp,          // the lanes of a warp vote before a step that they take together
    arrive         // in a loop; the thread votes at the next barrier, at which the whole block leaves
  };
  kind what = kind::entry_thread;
  std::uint32_t line = 0;   // of the original text
  bool looks = true;        // vote: it also loads the flag; else it uses what another poll has loaded
  std::uint32_t every = 1;  // vote: passes for each vote; thread, arrive: for each reading of the clock
  bool is_outside = false;  // thread, arrive: the poll stands in a new loop around so many passes
};

struct not_polled {
  std::uint32_t line = 0;  // where the loop begins; 0: the whole kernel
  std::string why;
};

struct kernel_rewrite {
  std::string name;
  std::uint32_t line = 0;
  variant asked = variant::none, made = variant::none;
  std::uint32_t own_parameters = 0;  // their number: the appended ones follow
  std::uint32_t own_bytes = 0;
  // Of the parameter behind them, if made is not none: launch_context (abort_words.h); timed: block_times
  // (time_words.h). timed_loops: block_times, and then launch_context.
  std::uint32_t context_offset = 0;
  std::uint32_t times_offset = 0;  // of block_times, if it has them
  std::vector<poll> polls;
  std::uint32_t timed_ends = 0;     // where threads end, and are measured
  std::vector<not_polled> refused;  // what was not instrumented, and why
  std::uint32_t instructions = 0;   // of the original
  std::uint32_t inserted = 0;       // instructions
  std::uint32_t loops = 0;
};
// Why it has no variant, if made is none.
std::string why_not(const kernel_rewrite& one);

struct rewritten {
  std::string ptx;
  std::vector<kernel_rewrite> kernels;  // of all kernels with a body, in their order
};

// Which variant a kernel gets. A kernel that is not preemptible, or cannot be instrumented, gets less than that.
using variant_choice = std::function<variant(const kernel_verdict& kernel)>;

rewritten rewrite(std::string_view ptx, const variant_choice& choose, const rewrite_settings& settings = {});

const char* spelled(variant what);
const char* spelled(poll::kind what);

}  // namespace genesys::schedule
