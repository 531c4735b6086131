// SPDX-License-Identifier: Apache-2.0
// What the executor gives its worker for one request. Made by the executor, read by host/.
#pragma once

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

struct result {
  enum class kind {
    done,       // value is Linux's answer
    again,      // not made: the descriptor `value` has to become ready for `extra.second` (readiness)
    drop,       // the request makes no sense: nobody can be answered
    park,       // not made here: waits for a descriptor (internal_wait), or for `extra.first` nanoseconds; see
                // host/parking.h
    begun,      // under way in the ring, which keeps the request
    elsewhere,  // not made: it could wait, and this worker has others to see to. For a worker whose ring is empty
  };
  kind what = kind::done;
  i64 value = 0;
  bool has_extra = false;
  completion_extra extra{};
};

}  // namespace genesys::detail
