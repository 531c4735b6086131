// SPDX-License-Identifier: Apache-2.0
// The counters of a runtime as OpenMetrics text (https://prometheus.io/docs/specs/om/open_metrics_spec/).
#pragma once

#include <string>

#include "genesys/detail/wire/types.h"
#include "genesys/options.h"

namespace genesys::detail {

// `runtime`: its number in the process. `in_flight`: calls that have begun and not ended.
std::string open_metrics(const statistics& of, u32 runtime, std::uint64_t in_flight);

}  // namespace genesys::detail
