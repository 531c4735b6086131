// SPDX-License-Identifier: Apache-2.0
// What the executor gives its worker for one request. Made by the executor, read by host/.
#pragma once

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

struct result {
  enum class kind {
    done,       // `value` is the call's result
    again,      // not made: the descriptor `value` has to become ready for `extra.second` (readiness)
    drop,       // the request is malformed: its completion slot is unknown
    park,       // not made here: waits for a descriptor (internal_wait), or for `extra.first` nanoseconds; see
                // host/parking.h
    begun,      // in flight in the worker ring, which keeps the request
    elsewhere,  // not made: it may wait, and this worker has calls in its ring; a worker with an empty ring makes it
  };
  kind what = kind::done;
  i64 value = 0;
  bool has_extra = false;
  completion_extra extra{};
  u64 inline_data = 0;                         // of a call that has it: the first 8 bytes of what Linux wrote
  const unsigned char* inline_rest = nullptr;  // the others (linux_arguments::inline_rest)
};

}  // namespace genesys::detail
