// SPDX-License-Identifier: Apache-2.0
// `genesys metrics`: the counters of a process's runtimes, as OpenMetrics text.
#pragma once

#include <sys/types.h>

#include <ostream>

namespace genesys::command {

// `pid` 0: of the only process that has runtimes. Returns 0, or 1 with the reason on `errors`.
int print_metrics(std::ostream& to, std::ostream& errors, pid_t pid);

}  // namespace genesys::command
