// SPDX-License-Identifier: Apache-2.0
// A side of a comparison: calls by one executor, or by rings that threads fill.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/measure.h"

namespace direct {

using measure::numbers;

struct side {
  std::string name;
  unsigned rings;
  std::function<double()> calls;
  numbers rate = {}, user = {}, system = {}, user_us = {}, system_us = {};  // calls a second; cores; us a call
};

// Measures each side in turn, after a round that does not count.
void by_turns(std::vector<side>& sides, unsigned rounds);

// The sum of a and b, round by round.
numbers sums(const numbers& a, const numbers& b);

}  // namespace direct
