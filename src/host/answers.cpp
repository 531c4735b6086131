// SPDX-License-Identifier: Apache-2.0
#include "host/answers.h"

#include "genesys/detail/generated/plans.h"

namespace genesys::detail {

void answers::finish_posted(const request& r, i64 value) const {
  if (const call_plan* plan = plan_of_call(r.number, r.args); plan != nullptr && returns_ != nullptr) {
    for (u32 i = 0; i < plan->args_count; ++i) {
      if (is_pointer(plan->args[i]) && returns_->give(r.args[i])) break;  // one buffer for all that is staged
    }
  }
  if (flights_ != nullptr) flights_->end_posted(r.run, value);
}

void answers::finish_followed(const request& r, i64 value, const extra_answer* extra) const {
  followers_->finish(r.cell, [&] { write_cell(r, value, false, extra); });
  end_flight(r);
}

}  // namespace genesys::detail
