// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/loop_sizes.h"

#include <algorithm>

#include "schedule/classify/opcodes.h"
#include "schedule/rewrite/strip_mining.h"
#include "schedule/rewrite/trip_count.h"

namespace genesys::schedule {

// Such an instruction takes hundreds of clocks, whatever else is in the iteration.
bool loop_sizes::waits_for_memory(const instruction& one) const {
  const effect does = effect_of(one);
  if (does == effect::texture_load) return true;
  if (does != effect::load && does != effect::atomic && does != effect::reduction) return false;
  const space where = space_of(one);
  return where == space::global || where == space::generic;
}

std::uint64_t loop_sizes::weight_of(std::size_t i) const {
  if (waits_for_memory(one_.body[i])) return settings_.memory_instructions;
  if (syncs_[i].what == sync::barrier) return settings_.barrier_instructions;
  const std::string_view opcode = one_.body[i].opcode;  // ptxas makes these part of other instructions
  return opcode == "mov" || opcode == "neg" || opcode == "cvta" ? 0 : 1;
}

std::uint64_t loop_sizes::of(const natural_loop& loop) const {
  std::uint64_t size = 0;
  for (int block : loop.blocks) {
    for (int i = graph_.blocks[block].first; i < graph_.blocks[block].end; ++i) size += weight_of(i);
  }
  return size;
}

// Inner loops come first among the loops. One that waits for an mbarrier counts once.
std::vector<std::uint64_t> loop_sizes::with_inner_loops() const {
  constexpr std::uint64_t guessed_iterations = 16, most = std::uint64_t{1} << 20;
  const std::vector<natural_loop>& loops = forest_.loops();
  std::vector<std::uint64_t> sizes(loops.size(), 0);
  std::vector<char> waits(loops.size(), 0);
  for (std::size_t i = 0; i < syncs_.size(); ++i) {
    const int at = forest_.innermost(graph_.block_of[i]);
    if (at < 0) continue;
    sizes[at] += weight_of(i);
    waits[at] |= syncs_[i].what == sync::object;
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].parent < 0) continue;
    const std::uint64_t known = std::min(trip_count(one_, graph_, forest_, loops[i]), most);
    const std::uint64_t iterations = known > 0 ? known : waits[i] ? 1 : guessed_iterations;
    sizes[loops[i].parent] += std::min(sizes[i], most) * iterations;
  }
  return sizes;
}

std::uint32_t loop_sizes::passes_for(std::uint64_t size) const {
  const std::uint32_t most = std::clamp(settings_.strip_max, 1U, strip_iterations_most);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(settings_.strip_instructions / std::max<std::uint64_t>(size, 1), 1, most));
}

}  // namespace genesys::schedule
