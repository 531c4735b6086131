// SPDX-License-Identifier: Apache-2.0
// `genesys info`.
#pragma once

#include <iosfwd>

namespace genesys::command {

// 0, or 1 if there is no device at all.
int print_info(std::ostream& to);

}  // namespace genesys::command
