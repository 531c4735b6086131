// SPDX-License-Identifier: Apache-2.0
// While a thread of the program captures a stream, the driver refuses calls that are unsafe in a capture. While an
// object of this class lives, it allows the thread's calls: they are the stand-in's own.
#pragma once

#include "schedule/standin/driver_api.h"
#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {

class relaxed_capture {
 public:
  relaxed_capture() { exchange(); }
  ~relaxed_capture() { exchange(); }
  relaxed_capture(const relaxed_capture&) = delete;
  relaxed_capture& operator=(const relaxed_capture&) = delete;

 private:
  void exchange() { GENESYS_REAL(cuThreadExchangeStreamCaptureMode)(&mode_); }

  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace genesys::schedule::standin
