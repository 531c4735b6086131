// SPDX-License-Identifier: Apache-2.0
// The version by threads of the CPU: they search, and compute the digests.
#pragma once

#include "digests.h"
#include "options.h"

namespace search {

struct timing {
  double searching = 0, all = 0;  // seconds
};
using results = std::vector<std::pair<std::uint32_t, digests::digest>>;

// The units of a file that have the text, and their digests. With version::vectors 32 bytes are compared at a time.
// Throws std::runtime_error: the file cannot be read or was cut, or the processor has no AVX2.
results search_by_cpu(const settings& chosen, const input& from, unsigned threads, timing& took);

}  // namespace search
