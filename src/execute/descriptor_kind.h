// SPDX-License-Identifier: Apache-2.0
// The kind of a descriptor, which decides whether kernels may submit calls on it through the shared rings. The executor
// calls this for internal_file. Any thread.
#pragma once

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// A descriptor_kind; 0: none of them; -EBADF: the descriptor is closed or protected.
i64 descriptor_kind_of(u64 number);

}  // namespace genesys::detail
