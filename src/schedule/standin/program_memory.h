// SPDX-License-Identifier: Apache-2.0
// The memory that the program has allocated. The driver's functions in own_memory.cpp note it.
#pragma once

#include "schedule/classify/allocation_list.h"

namespace genesys::schedule::standin {

// There is one list, which is never destroyed.
allocation_list& program_memory();

}  // namespace genesys::schedule::standin
