// SPDX-License-Identifier: Apache-2.0
#include "service/kernel_launcher.h"

namespace genesys::detail::services {

std::unique_ptr<kernel_launcher> launcher_for(device& on, const program& what) {
#if GENESYS_WITH_CUDA
  if (on.kind() == device_kind::cuda) return cuda_launcher(on, what);
#endif
#if GENESYS_WITH_CPU
  if (on.kind() == device_kind::cpu) return cpu_launcher(on, what);
#endif
  (void)what;
  throw error(error_code::not_built, "services do not run on this device");
}

}  // namespace genesys::detail::services
