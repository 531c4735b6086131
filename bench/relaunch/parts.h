// SPDX-License-Identifier: Apache-2.0
// The parts of this bench, in the order in which they run; relaunch.cpp tells what each measures.
#pragma once

#include "support/measure.h"

namespace relaunch {

// How many steps a chain has; as many calls are made in order.
unsigned steps_of(measure::bench& all);

void parent(measure::bench& all);
void pointers(measure::bench& all);
void order(measure::bench& all);

}  // namespace relaunch
