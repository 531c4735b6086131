// SPDX-License-Identifier: Apache-2.0
// Makes the program a member of the scheduling daemon (docs/schedule-processes.md), if `genesys schedule run` asks for
// it.
#pragma once

#include "schedule/daemon/client.h"

namespace genesys::schedule::standin {

// Attaches held_launches if the environment has a nice value and a daemon may be asked. Once; throws nothing.
void start_membership();

// A client for the GPU of the current context.
processes::client_options client_options_of(int nice);

}  // namespace genesys::schedule::standin
