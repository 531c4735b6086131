// SPDX-License-Identifier: Apache-2.0
// While an object of this class lives, a context is current on this thread.
#pragma once

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {

class in_context {
 public:
  explicit in_context(CUcontext which) { GENESYS_REAL(cuCtxPushCurrent_v2)(which); }
  ~in_context() {
    CUcontext popped = nullptr;
    GENESYS_REAL(cuCtxPopCurrent_v2)(&popped);
  }
  in_context(const in_context&) = delete;
  in_context& operator=(const in_context&) = delete;
};

}  // namespace genesys::schedule::standin
