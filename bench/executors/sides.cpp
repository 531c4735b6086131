// SPDX-License-Identifier: Apache-2.0
#include "executors/sides.h"

namespace executors {

void keep_ratios(bench& all, const std::string& name, const std::vector<side>& sides) {
  all.keep(name + "_uring_to_threads", "ratio", measure::ratios(sides[1].calls_per_s, sides[0].calls_per_s));
  all.keep(name + "_uring_to_native", "ratio", measure::ratios(sides[1].calls_per_s, sides[2].calls_per_s));
}

void keep_costs(bench& all, const std::string& name, const std::vector<side>& sides) {
  for (const side& one : sides) {
    const std::string it = name + "_" + one.name;
    all.keep(it + "_user", "cores", one.user);
    all.keep(it + "_system", "cores", one.system);
    if (one.by != nullptr) all.keep(it + "_hand_overs", "a call", one.queue_migrations);
    if (!one.together.empty()) all.keep(it + "_together", "calls a submission", one.together);
  }
}

void keep_rates(bench& all, const std::string& name, const std::vector<side>& sides) {
  for (const side& one : sides) all.keep(name + "_" + one.name, "GB/s", scaled(one.calls_per_s, page_bytes / 1e9));
}

}  // namespace executors
