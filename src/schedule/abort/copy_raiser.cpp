// SPDX-License-Identifier: Apache-2.0
// Raises flags by copies (flag_raiser.h).
#include "schedule/abort/flag_raiser.h"

namespace genesys::schedule {

using detail::u32;
using detail::aborts::flag_line;

void copy_raiser::raise(u32 index, u32 epoch) {
  flag_line* const to = flags_ + index * replicas_;
  if (copies_ == nullptr) {
    on_.store_words(&to->epoch, epoch, replicas_, sizeof *to);
    return;
  }
  if (under_way_ == under_way_max) {
    copies_->wait_for_flags();
    states_ = {};
    under_way_ = 0;
  }
  flag_line* const from = lines_ + index * replicas_;
  for (u32 replica = 0; replica < replicas_; ++replica) from[replica].epoch = epoch;
  copies_->copy_flags(to, from, replicas_ * sizeof *to);
  if (!states_[index].is_under_way) ++under_way_;
  states_[index] = {true, 0};
}

// The mark costs a call of CUDA, for which nothing urgent waits here.
bool copy_raiser::settled(u32 index) {
  copy_state& one = states_[index];
  if (!one.is_under_way) return true;
  if (one.mark == 0) one.mark = copies_->mark_of_flags();
  if (!copies_->passed(one.mark)) return false;
  one = {};
  --under_way_;
  return true;
}

}  // namespace genesys::schedule
