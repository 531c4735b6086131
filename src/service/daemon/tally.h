// SPDX-License-Identifier: Apache-2.0
// What the daemon counts, by service and by client. The serving thread's.
#pragma once

#include <cstdint>

#include "service/distribution.h"

namespace genesys::detail::serving {

using services::distribution;

struct tally {
  std::uint64_t requests = 0;  // that have ended
  std::uint64_t errors = 0;    // of these, with a negative result
  std::uint64_t refused = 0;   // of these, by the daemon's checks
  std::uint64_t bytes_in = 0, bytes_out = 0;

  void add(long result, bool was_refused, std::uint64_t in, std::uint64_t out) {
    ++requests;
    errors += result < 0;
    refused += was_refused;
    if (was_refused) return;
    bytes_in += in;
    bytes_out += out;
  }
};

// The stages of a request: the client has published it, the daemon has taken it, the daemon has submitted it to the
// server, its result is there.
struct stage_times {
  distribution taken, submitted, served, whole;
};

}  // namespace genesys::detail::serving
