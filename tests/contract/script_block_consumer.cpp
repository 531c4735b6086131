// SPDX-License-Identifier: Apache-2.0
// Scripts at block scope, in relaxed order as consumers.
#include "script_kernel.h"

namespace contract {

template <>
launched start_scripts<manner::block_consumer>(runtime& rt, const genesys::launch_config& config, const stage& s) {
  return start(rt, config, perform_script<manner::block_consumer>{}, s);
}

}  // namespace contract
