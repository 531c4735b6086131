// SPDX-License-Identifier: Apache-2.0
// Which descriptors are the driver's: those that came while a device was opened, and those that lead to an NVIDIA
// device. Used once, when a runtime is made, by its thread.
#pragma once

#include <map>
#include <string>

#include "policy/policy.h"

namespace genesys::detail {

// All open descriptors, and what /proc says they are. Throws error(system).
using descriptor_links = std::map<int, std::string>;
descriptor_links open_descriptors();

// Of descriptors that others than a runtime closed, the numbers are free again: the program's, if it has them now.
void forget_closed(const descriptor_links& open);

// Those that are the driver's, if `before` were open before it was asked for anything, are out of kernels' reach.
// `has_driver`: the device has one, which may have opened others than /dev/nvidia*.
void protect_drivers(const descriptor_links& before, bool has_driver);

}  // namespace genesys::detail
