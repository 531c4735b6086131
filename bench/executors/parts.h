// SPDX-License-Identifier: Apache-2.0
// The parts of this bench, in the order in which they run; executors.cpp says what each measures.
#pragma once

#include "executors/shared.h"
#include "support/measure.h"

namespace executors {

void direct(measure::bench& all, shared& in);
void cold(measure::bench& all, shared& in);
void cached(measure::bench& all, shared& in);
void durable(measure::bench& all, shared& in);
void waiting(measure::bench& all, shared& in);

}  // namespace executors
