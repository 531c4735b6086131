// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/block_timer.h"

namespace genesys::schedule {

using detail::times::block_time_record;

block_timer::block_timer(execution& with) : with_(with) {
  records_ = static_cast<block_time_record*>(with_.on().allocate(records_max * sizeof(block_time_record)));
  with_.on().fill(records_, 0, records_max * sizeof(block_time_record));
  copies_ = static_cast<block_time_record*>(with_.on().allocate_both((records_max + 1) * sizeof(block_time_record)));
}

block_timer::~block_timer() {
  with_.on().free(records_);
  with_.on().free_both(copies_);
}

// Block b is sampled if b & mask is the sample. Blocks at the same place of a row often do the same work, so another
// launch samples other blocks.
block_timer::record block_timer::begin(std::uint64_t blocks, unsigned order) {
  for (record i = 1; i <= records_max; ++i) {
    state& one = at(i);
    if (one.is_used) continue;
    one = {};
    one.is_used = true;
    std::uint64_t every = 1;
    while (blocks / every > sampled_max) every *= 2;
    one.context = {records_ + (i - 1), static_cast<detail::u32>(every - 1), static_cast<detail::u32>(order % every)};
    return i;
  }
  return none;
}

// The record is zero again before another launch can use it.
void block_timer::launched(record of, unsigned level) {
  block_time_record* const here = records_ + (of - 1);
  const execution::mark read = with_.copy_after(level, copies_ + (of - 1), here, sizeof *here);
  if (read == 0) return;
  with_.forget(read);
  at(of).copied = with_.copy_after(level, here, copies_ + records_max, sizeof *here);
}

void block_timer::ended(record of, const learnt_times::key& key, bool is_whole, learnt_times& into) {
  state& one = at(of);
  one.key = key;
  one.is_whole = is_whole;
  if (one.copied != 0) {
    waiting_.push_back(of);
    return;
  }
  block_time_record* const here = records_ + (of - 1);
  block_time_record read{};
  with_.on().copy_to_host(&read, here, sizeof read);
  with_.on().fill(here, 0, sizeof read);
  learn(one, read, into);
  one.is_used = false;
}

void block_timer::poll(learnt_times& into) {
  std::erase_if(waiting_, [&](record of) {
    state& one = at(of);
    if (!with_.passed(one.copied)) return false;
    with_.forget(one.copied);
    learn(one, copies_[of - 1], into);
    one.is_used = false;
    return true;
  });
}

// Threads that leave early measure nothing, so the record of an aborted launch lacks its longest blocks.
void block_timer::learn(const state& one, const block_time_record& from, learnt_times& into) const {
  if (one.is_whole && from.threads != 0) {
    into.timed(one.key, from.longest_ns);
  } else {
    into.timing_failed(one.key);
  }
}

}  // namespace genesys::schedule
