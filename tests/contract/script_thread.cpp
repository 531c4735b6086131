// SPDX-License-Identifier: Apache-2.0
// Scripts at thread scope.
#include "script_kernel.h"

namespace contract {

launched start_at_thread_scope(runtime& rt, const genesys::launch_config& config, const stage& s) {
  return start(rt, config, perform_script<genesys::thread>{}, s);
}

}  // namespace contract
