// SPDX-License-Identifier: Apache-2.0
// Who learns of launches and of what they order: the scheduler, or a test mode. One observer at a time, attached by
// observe() in jump_table.h. All its functions run on threads of the program, several at a time, inside the program's
// call of the driver. They may call the driver through GENESYS_REAL only, and throw nothing.
#pragma once

#include "schedule/standin/driver_api.h"
#include "schedule/standin/observed_launch.h"

namespace genesys::schedule::standin {

class launch_observer {
 public:
  virtual ~launch_observer() = default;

  // Whether the launch needs nothing of the observer. It then goes to the driver as it is, and launch() is not called:
  // so it costs no copy of its arguments, and no question to the driver.
  virtual bool lets_pass(CUfunction function, CUstream stream) noexcept { return (void)function, (void)stream, false; }

  // The program launches a kernel. What it returns is the result of the program's call. The launch may also be issued
  // later (observed_launch::keep), or as a variant; then the call has succeeded as far as the program knows. Before a
  // launch that is issued as it is, and before one with ties, settle its stream as for an ordered call.
  virtual CUresult launch(const observed_launch& one) noexcept { return one.issue(); }

  // The program is about to call a function that runs behind what is in `stream`, or waits for it: a copy, the record
  // of an event, a wait for an event, a graph, a callback, a query, the end of the stream. What the observer has held
  // back or aborted there must be done or in the stream when this returns. `stream` is never null: CU_STREAM_LEGACY is
  // the context's default stream, which also waits for its other blocking streams. The stream may be in capture.
  // `waits`: the function itself waits for the stream, so this may take as long.
  virtual void settle(CUstream stream, bool waits) noexcept { (void)stream, (void)waits; }
  // The same for all streams: the program waits for a context, or frees or changes what kernels may use.
  virtual void settle_all(bool waits) noexcept { (void)waits; }

  // The device has no memory for the program. Whether the observer has given some back, so that it may ask again.
  virtual bool give_back_memory() noexcept { return false; }
};

}  // namespace genesys::schedule::standin
