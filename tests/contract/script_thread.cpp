// SPDX-License-Identifier: Apache-2.0
// Scripts at thread scope.
#include "script_kernel.h"

namespace contract {

template <>
launched start_scripts<manner::thread>(runtime& rt, const genesys::launch_config& config, const stage& s) {
  return start(rt, config, perform_script<manner::thread>{}, s);
}

}  // namespace contract
