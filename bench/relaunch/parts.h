// SPDX-License-Identifier: Apache-2.0
// The parts of this bench, in the order in which they run; relaunch.cpp says what each measures.
#pragma once

#include "support/measure.h"

namespace relaunch {

// The number of steps of a chain, and of calls that are made in order.
unsigned steps_of(measure::bench& all);

void parent(measure::bench& all);
void pointers(measure::bench& all);
void order(measure::bench& all);

}  // namespace relaunch
