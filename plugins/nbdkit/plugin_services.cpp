// SPDX-License-Identifier: Apache-2.0
#include "plugin_services.h"

#include <cerrno>
#include <stdexcept>

namespace genesys::nbd {

bool is_services_name(const std::string& which) {
  return which == "auto" || which == "gpu" || which == "cpu" || which == "emulated";
}

std::unique_ptr<block_services> chosen_services(const std::string& which, const key_bytes& key,
                                                const std::function<void(const std::string&)>& say) {
#if GENESYS_NBD_WITH_SERVER
  if (which == "gpu" || which == "emulated") return services_on_server(key, which == "gpu");
  if (which == "auto") {
    try {
      return services_on_server(key, true);
    } catch (const std::runtime_error& none) {
      say(std::string("the CPU computes: ") + none.what());
    }
  }
#else
  if (which == "gpu" || which == "emulated") fail(ENOSYS, "the plugin was built without genesys::services");
  if (which == "auto") say("the CPU computes: the plugin was built without genesys::services");
#endif
  return services_on_cpu(key);
}

}  // namespace genesys::nbd
