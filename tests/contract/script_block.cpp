// SPDX-License-Identifier: Apache-2.0
// Scripts at block scope.
#include "script_kernel.h"

namespace contract {

launched start_at_block_scope(runtime& rt, const genesys::launch_config& config, const stage& s) {
  return start(rt, config, perform_script<genesys::block>{}, s);
}

}  // namespace contract
