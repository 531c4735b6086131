// SPDX-License-Identifier: Apache-2.0
// Launches the resident raiser (genesys/detail/schedule/resident_raiser.h) on a GPU.
#pragma once

#include <cuda_runtime.h>

#include "genesys/detail/wire/abort.h"

namespace genesys::schedule {

// Throws error(launch_failed).
void launch_raiser(const detail::aborts::raiser_context& with, cudaStream_t in);

}  // namespace genesys::schedule
