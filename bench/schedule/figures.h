// SPDX-License-Identifier: Apache-2.0
// The parts of bench/schedule that measure what Figures 12 to 20 and Table 3 of the paper show. The main thread calls
// them. docs/schedule-figures.md says how each differs from the paper's.
#pragma once

#include "support/measure.h"

namespace schedule_bench {

// Figures 12 and 13: programs beside M-Bench tasks.
void beside(measure::bench& all);
// Figure 14: three instances of each program, at nice -10, 0 and 10.
void three(measure::bench& all);
// Figure 15: one kernel of nice 19 while a more important M-Bench comes and goes, with aging and without.
void starving(measure::bench& all);
// Figures 16, 17 and 18: how long urgent kernels wait.
void delays(measure::bench& all);
// Figures 19 and 20: what the scheduler costs a program that runs alone; what snapshots cost by their size.
void alone(measure::bench& all);
// Table 3: kernels and snapshots of each program.
void programs(measure::bench& all);

}  // namespace schedule_bench
