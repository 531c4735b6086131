// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/module_text.h"

#include "schedule/rewrite/module_variables.h"

namespace genesys::schedule {

void module_text::read() {
  if (std::exchange(is_read_, true)) return;
  const module all = parse_ptx(std::string_view(ptx_));
  for (kernel_verdict& each : classify(all)) {
    std::string name = each.name;
    verdicts_.emplace(std::move(name), std::move(each));
  }
  with_variables_ = kernels_with_variables(all);
}

const kernel_verdict* module_text::verdict_of(const std::string& kernel) {
  read();
  const auto found = verdicts_.find(kernel);
  return found != verdicts_.end() ? &found->second : nullptr;
}

const std::set<std::string>& module_text::with_variables() {
  read();
  return with_variables_;
}

// All kernels at once, because the driver compiles the text as a whole.
module_text::polled module_text::with_polls(variant wanted) {
  read();
  rewritten made = rewrite(ptx_, [&](const kernel_verdict& kernel) {
    return with_variables_.count(kernel.name) > 0 ? variant::none : wanted;
  });
  polled result{std::move(made.ptx), {}};
  for (kernel_rewrite& each : made.kernels) {
    std::string name = each.name;
    result.kernels.emplace(std::move(name), std::move(each));
  }
  return result;
}

std::string module_text::why_no_polls(const polled& in, const std::string& kernel) {
  if (with_variables().count(kernel) > 0) {
    return "it uses variables of its module, of which a kernel with polls would get a copy";
  }
  const auto found = in.kernels.find(kernel);
  if (found == in.kernels.end()) return "the PTX has no such kernel";
  if (found->second.made != variant::none) return "";
  return why_not(found->second);
}

}  // namespace genesys::schedule
