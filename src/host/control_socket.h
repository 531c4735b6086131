// SPDX-License-Identifier: Apache-2.0
// Through this socket other processes of the same user look at a runtime: `genesys trace -p`, `--live` and `genesys
// metrics`, or curl. Each runtime listens at the abstract Unix address "genesys/PID/RUNTIME". A thread of its own
// serves one request after another; each is one line:
//
//   trace DATA PATHS   with a descriptor: records there, DATA bytes of each buffer, PATHS 1 with paths of descriptors.
//                      Replies "ok"; the recording ends, and then the connection, when the client shuts down its side
//   waiting            replies with every call in flight, a line each
//   metrics            replies with the counters, as OpenMetrics text; likewise to "GET ...", over HTTP
//
// Kernels of the process cannot use it: a peer of this process is refused. The core owns it.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "host/recording_switch.h"
#include "policy/descriptors.h"

namespace genesys::detail {

class control_socket {
 public:
  struct replies {
    std::function<std::string()> waiting, metrics;
  };
  // Begins to listen. If Linux gives no socket or no thread, the runtime cannot be looked at; that is no error.
  // `number`: of the runtime in its process.
  control_socket(u32 number, recording_switch& recordings, replies how);
  ~control_socket();
  control_socket(const control_socket&) = delete;
  control_socket& operator=(const control_socket&) = delete;

  bool listens() const { return thread_.joinable(); }

 private:
  void run();
  void serve();
  void reply_to(own_descriptor& peer, const std::string& line, own_descriptor& passed, u64 deadline_ns);
  void end_recording();

  recording_switch& recordings_;
  const replies how_;
  own_descriptor listener_, wakeup_;
  own_descriptor tracer_;  // the connection whose recording is on
  u64 recording_ = 0;      // which one that is
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace genesys::detail
