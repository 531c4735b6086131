// SPDX-License-Identifier: Apache-2.0
#include "host/completion_writer.h"

#include "genesys/detail/table/generated/plans.h"

namespace genesys::detail {

void completion_writer::finish_posted(const request& r, i64 value) const {
  if (const call_plan* plan = plan_of_call(r.number, r.args); plan != nullptr && returns_ != nullptr) {
    for (u32 i = 0; i < plan->args_count; ++i) {
      if (is_pointer(plan->args[i]) && returns_->give(r.args[i])) break;  // one buffer for all staged arguments
    }
  }
  if (in_flight_ != nullptr) in_flight_->end_posted(r.run, value);
}

// What is recorded of memory is read before the completion: then the memory may be another call's.
[[gnu::noinline]] void completion_writer::complete_recorded(const request& r, const call_end& end,
                                                            completion_counters* own) const {
  trace::call_record call{};
  call.by = end.by;
  call.flags =
      static_cast<std::uint8_t>((end.again ? trace::flag_again : 0) | (end.malformed ? trace::flag_malformed : 0) |
                                (is_dependent(r) ? trace::flag_dependent : 0));
  call.scope = static_cast<std::uint8_t>(r.scope & scope_mask);
  call.mode = static_cast<std::uint8_t>(r.mode);
  call.warp = static_cast<std::uint8_t>(r.warp);
  call.run = static_cast<std::uint16_t>(r.run);
  call.number = static_cast<std::uint16_t>(r.number);
  call.block = r.block;
  call.published = r.time;
  for (int i = 0; i < 6; ++i) call.args[i] = r.args[i];
  call.result = end.value;
  if (end.at != nullptr) call.at = *end.at;
  const bool has_slot = !end.malformed && r.mode != wait_mode::posted;
  if (has_slot) {
    call.completion_slot = r.completion_slot;
    if (call.at.taken == 0) call.at.taken = recorder_->taken_at(r.completion_slot);
    const u64 seen = std::atomic_ref<u64>(seen_[r.completion_slot]).load(std::memory_order_relaxed);
    call.at.completed = trace::ticks_now();
    const auto earlier = recorder_->exchange_completed(r.completion_slot, {call.at.completed, r.number});
    call.earlier = {earlier.at, static_cast<u32>(seen), earlier.number};
  } else {
    call.at.completed = trace::ticks_now();
  }
  finish(r, end, true);
  if (own != nullptr) {
    own->count<true>(r, end);
  } else if (others_ != nullptr) {
    others_->count<false>(r, end);
  }
  recorder_->record(own != nullptr ? own->worker : trace::no_worker, call);
}

void completion_writer::finish_with_dependents(const request& r, const call_end& end, bool recorded) const {
  dependents_->finish(r.completion_slot, [&] { write_slot(r, end, recorded); });
  end_in_flight(r);
}

}  // namespace genesys::detail
