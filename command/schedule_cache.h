// SPDX-License-Identifier: Apache-2.0
// 'genesys schedule cache': what the scheduler keeps on disk.
#pragma once

#include <iosfwd>

namespace genesys::command {

struct asked_cache {
  bool clear = false, json = false;
};

// Returns the exit status.
int show_cache(std::ostream& to, std::ostream& errors, const asked_cache& asked);

}  // namespace genesys::command
