// SPDX-License-Identifier: Apache-2.0
// The parts `stream` and `stream_shape` of bench/service.cpp.
#pragma once

#include "support/measure.h"

namespace service_bench {

// Adds the parts and their options. Before main().
void add_stream(measure::bench& all);

}  // namespace service_bench
