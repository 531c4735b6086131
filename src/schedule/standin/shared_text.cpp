// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/shared_text.h"

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule::standin {

shared_text text_with_both(std::string_view ptx, variant wanted, const std::set<std::string>& kernels) {
  shared_text result;
  if (kernels.empty() || ptx.find(shared_suffix) != ptx.npos) return result;
  rewritten polled = rewrite(
      ptx, [&](const kernel_verdict& kernel) { return kernels.count(kernel.name) > 0 ? wanted : variant::none; });
  const module all = parse_ptx(std::string_view(polled.ptx));
  std::string more;
  for (kernel_rewrite& each : polled.kernels) {
    if (each.made == variant::none) continue;
    const function* const made = all.find(each.name);
    if (made == nullptr || !made->has_body) continue;
    // Parameters, directives and the body. Names in them are the function's own.
    more += "\n.visible .entry " + each.name + shared_suffix +
            polled.ptx.substr(made->name_end_offset, made->body_end_offset + 1 - made->name_end_offset) + "\n";
    std::string name = each.name;
    result.kernels.emplace(std::move(name), std::move(each));
  }
  if (!more.empty()) result.ptx = std::string(ptx) + more;
  return result;
}

}  // namespace genesys::schedule::standin
