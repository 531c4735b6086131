// SPDX-License-Identifier: Apache-2.0
// The part `dispatch` of bench/service.cpp.
#pragma once

#include "support/measure.h"

namespace service_bench {

// Adds the part. Before main().
void add_dispatch(measure::bench& all);

}  // namespace service_bench
