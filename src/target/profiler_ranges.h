// SPDX-License-Identifier: Apache-2.0
// Ranges for a CUDA profiler (NVTX, domain "genesys"): Nsight Systems then shows the calls that each worker makes
// beside the kernels. A build with the cuda device has them; a worker uses them if a profiler has started the program.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::profiler {

// Whether a tool that reads NVTX has started this program. It does not change.
bool is_attached();

// The calling thread makes call number `number`, until end(). Only if is_attached().
void begin(u32 number);
void end();

}  // namespace genesys::detail::profiler
