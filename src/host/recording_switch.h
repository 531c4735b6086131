// SPDX-License-Identifier: Apache-2.0
// Begins and ends recordings of a runtime: opens the file, and keeps it from kernels. The core owns it; any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "execute/shared_rings.h"
#include "genesys/options.h"
#include "policy/descriptors.h"
#include "trace/recorder.h"

namespace genesys::detail {

class recording_switch {
 public:
  // `number`: of the runtime in its process. `describe`: of the runtime. `rings`: whose calls are recorded too, or
  // null.
  recording_switch(trace::recorder& of, u32 number, std::function<std::string()> describe, const shared_rings* rings)
      : recorder_(of), number_(number), describe_(std::move(describe)), rings_(rings) {}

  // As the options say, or else the environment's GENESYS_TRACE, GENESYS_TRACE_DATA and GENESYS_TRACE_PATHS; or not at
  // all. Throws as start() does.
  void start_as_asked(const options& chosen);
  // An earlier recording ends. In a path `%p` and `%r` are replaced (options::trace). Throws error(system).
  void start(const std::string& path, const recording_content& content);
  // If the file took no more (a full disk), stderr says so.
  void stop();

  // For the control socket: starts only if nothing is recorded, and ends only the recording that start_other() began.
  // Returns 0: there is a recording. Throws as start() does.
  u64 start_other(own_descriptor&& to, const recording_content& content);
  void stop_other(u64 which);
  bool has(u64 which);  // whether it goes on

 private:
  void start_locked(own_descriptor&& to, const recording_content& content);
  void stop_locked();

  trace::recorder& recorder_;
  const u32 number_;
  const std::function<std::string()> describe_;
  const shared_rings* const rings_;
  std::mutex lock_;  // guards the next, and the recorder's start and stop
  own_descriptor file_;
  std::string name_;  // of the file, if start() opened it
  u64 started_ = 0;  // how many recordings have begun
};

}  // namespace genesys::detail
