// SPDX-License-Identifier: Apache-2.0
// Which kernels of a module use its variables. A second module with the same PTX has copies of them, so such a kernel
// must not run from there.
#pragma once

#include <set>
#include <string>

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

// Kernels that name a variable of the module in global or constant memory, or a texture or surface, and those that call
// a function that does, or that is not in the module. Shared memory belongs to a block, and does not count.
std::set<std::string> kernels_with_variables(const module& all);

}  // namespace genesys::schedule
