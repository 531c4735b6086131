// SPDX-License-Identifier: Apache-2.0
// A call that a runtime has begun and not ended, as core::calls_in_flight() finds it: what it waits for, and how long.
// report() and the control socket show them.
#pragma once

#include <string>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

struct call_in_flight {
  request call;
  const char* state;  // "in Linux", "parked", ...
  u64 age_ns;
};

// "read(fd=3, buf=0x7f.., count=16)", also of a request to the runtime itself.
std::string words_of(const request& call);
// "read", or "wait_ready".
std::string name_of_call(u32 number);

}  // namespace genesys::detail
