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

[[gnu::noinline]] void completion_writer::record(const request& r, const call_end& end,
                                                 std::uint16_t worker) const noexcept {
  trace::call_record call{};
  call.by = end.by;
  call.flags =
      static_cast<std::uint8_t>((end.again ? trace::flag_again : 0) | (end.malformed ? trace::flag_malformed : 0) |
                                (is_dependent(r) ? trace::flag_dependent : 0));
  call.scope = static_cast<std::uint8_t>(r.scope & scope_mask);
  call.number = static_cast<std::uint16_t>(r.number);
  for (int i = 0; i < 6; ++i) call.args[i] = r.args[i];
  call.result = end.value;
  if (end.at != nullptr) call.at = *end.at;
  if (call.at.taken == 0 && r.mode != wait_mode::posted) call.at.taken = recorder_->taken_at(r.completion_slot);
  call.at.completed = trace::ticks_now();
  call.block = r.block;
  call.run = static_cast<std::uint16_t>(r.run);
  call.warp = static_cast<std::uint8_t>(r.warp);
  call.mode = static_cast<std::uint8_t>(r.mode);
  call.published = r.time;
  recorder_->record(worker, call);
}

void completion_writer::finish_with_dependents(const request& r, const call_end& end) const {
  dependents_->finish(r.completion_slot, [&] { write_slot(r, end); });
  end_in_flight(r);
}

}  // namespace genesys::detail
