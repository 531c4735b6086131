// SPDX-License-Identifier: Apache-2.0
// Which block_services a plugin has, by the parameter services. Called by after_fork(): a GPU that is opened before
// nbdkit forks is of no use behind it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "block_services.h"

namespace genesys::nbd {

// By a service_server. Throws genesys::error if there is no such device. Only in a build with genesys::services.
std::unique_ptr<block_services> services_on_server(const key_bytes& key, bool on_gpu);

// `which`: gpu, cpu (OpenSSL and ISA-L), emulated (the CPU device, for tests), or auto: the GPU if there is one, else
// cpu. `say` gets a line on what was chosen. Throws.
std::unique_ptr<block_services> chosen_services(const std::string& which, const key_bytes& key,
                                                const std::function<void(const std::string&)>& say);
bool is_services_name(const std::string& which);

}  // namespace genesys::nbd
