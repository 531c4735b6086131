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

void completion_writer::finish_with_dependents(const request& r, const call_end& end) const {
  dependents_->finish(r.completion_slot, [&] { write_slot(r, end); });
  end_in_flight(r);
}

}  // namespace genesys::detail
