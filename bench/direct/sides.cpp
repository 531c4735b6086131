// SPDX-License-Identifier: Apache-2.0
#include "direct/sides.h"

namespace direct {

void by_turns(std::vector<side>& sides, unsigned rounds) {
  for (unsigned round = 0; round <= rounds; ++round) {
    for (side& one : sides) {
      double calls = 0;
      const measure::cost cost = measure::timed([&] { calls = one.calls(); });
      if (round == 0) continue;
      one.rate.push_back(calls / cost.seconds);
      one.user.push_back(cost.user_s / cost.seconds);
      one.system.push_back(cost.system_s / cost.seconds);
      one.user_us.push_back(cost.user_s / calls * 1e6);
      one.system_us.push_back(cost.system_s / calls * 1e6);
    }
  }
}

numbers sums(const numbers& a, const numbers& b) {
  numbers all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(a[i] + b[i]);
  return all;
}

}  // namespace direct
