// SPDX-License-Identifier: Apache-2.0
// The part `split` of bench/service.cpp.
#pragma once

#include "support/measure.h"

namespace service_bench {

// Adds the part. Before main().
void add_split(measure::bench& all);

}  // namespace service_bench
