// SPDX-License-Identifier: Apache-2.0
// What `genesys schedule ps` and `top` print of a member of the scheduling daemon.
#pragma once

#include <string>

#include "schedule/daemon/message.h"

namespace genesys::command {

std::string user_of(const schedule::processes::reply& row);
std::string command_of(const schedule::processes::reply& row);
const char* state_of(const schedule::processes::reply& row);

}  // namespace genesys::command
