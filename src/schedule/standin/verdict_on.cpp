// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/verdict_on.h"

#include <algorithm>

#include "schedule/standin/program_memory.h"

namespace genesys::schedule::standin {
namespace {

// A copy of the list, taken again when the list has changed: programs launch more often than they allocate.
const std::vector<allocation>& allocations_now() {
  struct copied {
    std::uint64_t version = ~std::uint64_t{0};
    std::vector<allocation> list;
  };
  static thread_local copied kept;
  const std::uint64_t version = program_memory().version();  // before the copy, which may be newer
  if (kept.version != version) kept = {version, program_memory().copy()};
  return kept.list;
}

launch_verdict refused(const kernel& of, std::string why) {
  launch_verdict result;
  result.reasons.push_back({reason::against::both, std::move(why), 0, of.name()});
  return result;
}

}  // namespace

launch_verdict verdict_on(const observed_launch& one) {
  const kernel& launched = *one.launched();
  const kernel_verdict* const verdict = launched.verdict();
  if (verdict == nullptr) return refused(launched, launched.why_no_verdict());
  if (!one.has_arguments()) return refused(launched, "the layout of its parameters is not known");
  return complete(*verdict, {one.arguments(), allocations_now(), one.is_cooperative(), one.has_clusters()});
}

bool is_device_memory(const std::vector<range>& write_set) {
  const std::vector<allocation>& known = allocations_now();
  return std::all_of(write_set.begin(), write_set.end(), [&known](const range& wanted) {
    const auto found = std::lower_bound(known.begin(), known.end(), wanted.base,
                                        [](const allocation& each, std::uint64_t base) { return each.base < base; });
    return found != known.end() && found->base == wanted.base && found->bytes == wanted.bytes &&
           found->what == allocation::kind::device;
  });
}

}  // namespace genesys::schedule::standin
