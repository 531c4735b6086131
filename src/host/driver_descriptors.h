// SPDX-License-Identifier: Apache-2.0
// Finds the driver's descriptors: those that appeared while a device was opened, and those that lead to an NVIDIA
// device. Called once for each runtime, by the thread that makes it.
#pragma once

#include <map>
#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// All open descriptors, with their links in /proc. Throws error(system).
using descriptor_links = std::map<int, std::string>;
descriptor_links open_descriptors();

// Unprotects numbers that were closed by other code than a runtime: the program may have them now.
void forget_closed(const descriptor_links& open);

// Hides the driver's descriptors from kernels. `before`: what was open before the driver was used. `has_driver`: the
// device has a driver, which may have opened more than /dev/nvidia*.
void protect_drivers(const descriptor_links& before, bool has_driver);

}  // namespace genesys::detail
