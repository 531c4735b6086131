// SPDX-License-Identifier: Apache-2.0
// The members of a daemon, as it lists them to any process that may connect.
#pragma once

#include <string>
#include <vector>

#include "schedule/daemon/message.h"

namespace genesys::schedule::processes {

// A row for each member. Throws std::runtime_error if there is no daemon, or if it does not reply.
std::vector<reply> list_members(const std::string& socket);

}  // namespace genesys::schedule::processes
