// SPDX-License-Identifier: Apache-2.0
// The host's side of aborts (abort_table.h).
#include "schedule/abort/abort_table.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "genesys/error.h"

namespace genesys::schedule {

using detail::u32;
using detail::u64;
namespace aborts = detail::aborts;

abort_table::abort_table(detail::device_memory& on, u32 replicas) : on_(on), replicas_(replicas) {
  if (replicas == 0 || replicas > aborts::flag_replicas_max || (replicas & (replicas - 1)) != 0) {
    throw error(error_code::bad_option, "the replicas of the abort flags are a power of two, at most " +
                                            std::to_string(aborts::flag_replicas_max));
  }
  const std::size_t flags_bytes = aborts::indices * replicas * sizeof(aborts::flag_line),
                    counts_bytes = aborts::indices * aborts::count_replicas * sizeof(aborts::leave_counts),
                    latches_bytes = aborts::latches_max * sizeof(aborts::latch_line);
  auto* const memory = static_cast<unsigned char*>(on.allocate(flags_bytes + counts_bytes + latches_bytes));
  on.fill(memory, 0, flags_bytes + counts_bytes + latches_bytes);
  flags_ = reinterpret_cast<aborts::flag_line*>(memory);
  counts_ = reinterpret_cast<aborts::leave_counts*>(memory + flags_bytes);
  latch_lines_ = reinterpret_cast<aborts::latch_line*>(memory + flags_bytes + counts_bytes);
  copy_ = std::make_unique<copy_raiser>(on, flags_, replicas);
  raiser_ = copy_.get();
}

abort_table::~abort_table() { on_.free(flags_); }

abort_launch abort_table::begin(u32 latch, u64 threads) {
  latch_state& g = latches_.at(latch);
  if (g.raised && g.live != 0) {
    throw std::logic_error("a launch after an abort begins before all launches of the chain are concluded");
  }
  u32 tried = 0;
  while (!is_free(next_index_)) {
    if (++tried == aborts::indices) throw error(error_code::no_memory, "all abort indices are in use");
    next_index_ = (next_index_ + 1) % aborts::indices;
  }
  if (g.aborted) g.stopped = std::exchange(g.chain, 0);
  g.raised = g.aborted = false;
  while (g.chain == 0 || g.chain == g.stopped) g.chain = ++chain_;  // A2
  index_state& at = indices_[next_index_];
  do {
    ++epoch_;
  } while (epoch_ == 0 || epoch_ == at.flag);
  at.used = true;
  at.epoch = epoch_;
  at.threads = threads;
  const u32 ahead = g.live++ != 0;
  return {{&flags_[next_index_ * replicas_].epoch, counts_ + next_index_ * aborts::count_replicas,
           &latch_lines_[latch].chain, epoch_, g.chain, replicas_ - 1, ahead},
          next_index_,
          latch};
}

void abort_table::raise(const abort_launch& one) {
  index_state& at = indices_[one.index];
  if (!at.used || at.epoch != one.context.epoch || at.flag == one.context.epoch) return;
  latches_[one.latch].raised = true;
  at.flag = one.context.epoch;
  raiser_->raise(one.index, one.context.epoch);
}

launch_end abort_table::conclude(const abort_launch& one, const aborts::leave_counts* counts) {
  index_state& at = indices_[one.index];
  latch_state& g = latches_[one.latch];
  launch_end end{false, true};
  if (g.raised) {  // otherwise no thread can have left (A2)
    const counted after = count(one.index, counts);
    const u64 at_entry = after.left_at_entry - at.before.left_at_entry, later = after.left_later - at.before.left_later;
    end.aborted = at_entry != 0 || later != 0;
    end.wrote = at_entry != at.threads;
    at.before = after;
    if (g.aborted && (!end.aborted || end.wrote)) {
      throw std::logic_error("a launch ahead wrote after an earlier launch of its chain was aborted");
    }
    g.aborted = g.aborted || end.aborted;
  }
  --g.live;
  at.lingers = at.flag == at.epoch;
  at.used = at.lingers && !is_free(one.index);
  next_index_ = (one.index + 1) % aborts::indices;
  return end;
}

bool abort_table::is_free(u32 index) {
  index_state& at = indices_[index];
  if (at.lingers && raiser_->settled(index)) at.used = at.lingers = false;
  return !at.used;
}

abort_table::counted abort_table::count(u32 index, const aborts::leave_counts* copied) {
  std::array<aborts::leave_counts, aborts::count_replicas> all;
  if (copied == nullptr) {
    on_.copy_to_host(all.data(), counts_ + index * aborts::count_replicas, sizeof all);
    copied = all.data();
  }
  counted sum;
  for (u32 replica = 0; replica < aborts::count_replicas; ++replica) {
    sum.left_at_entry += copied[replica].left_at_entry;
    sum.left_later += copied[replica].left_later;
  }
  return sum;
}

}  // namespace genesys::schedule
