// SPDX-License-Identifier: Apache-2.0
#include "host/completion_writer.h"

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

void completion_writer::finish_posted(const request& r, i64 value) const {
  // No calls of the kernel's own. (The call of a ring is counted there.)
  if (r.number == internal_ring_call || r.number == internal_grow) return end_in_flight(r);
  // A call with inline data has no bounce buffer, and data of the kernel where the others have addresses.
  const call_plan* const plan = r.has_inline_data ? nullptr : plan_of_call(r.number, r.args);
  if (plan != nullptr && returns_ != nullptr) {
    for (u32 i = 0; i < plan->args_count; ++i) {
      if (is_pointer(plan->args[i]) && returns_->give(r.args[i])) break;  // one buffer for all staged arguments
    }
  }
  if (in_flight_ != nullptr) in_flight_->end_posted(r.run, value);
}

[[gnu::noinline]] void completion_writer::complete_recorded(const request& r, const call_end& end,
                                                            completion_counters* own) const {
  const std::uint16_t worker = own != nullptr ? own->worker : trace::no_worker;
  if (!recorder_->enter(worker)) {  // the recording has just ended
    finish(r, end, false);
    return count(r, end, own);
  }
  call_recorder::draft draft;
  recorder_->begin(r, end, !end.malformed && r.mode != wait_mode::posted, draft);
  finish(r, end, true);
  count(r, end, own);
  recorder_->end(worker, draft);
}

void completion_writer::count(const request& r, const call_end& end, completion_counters* own) const {
  if (own != nullptr) {
    own->count<true>(r, end);
  } else if (others_ != nullptr) {
    others_->count<false>(r, end);
  }
}

void completion_writer::finish_with_dependents(const request& r, const call_end& end, bool recorded) const {
  dependents_->finish(r.completion_slot, [&] { write_slot(r, end, recorded); });
  end_in_flight(r);
}

}  // namespace genesys::detail
