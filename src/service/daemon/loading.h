// SPDX-License-Identifier: Apache-2.0
// The loading thread: it loads services from files that clients have passed, and unloads them, one after another. Both
// can take long: linking, the initializers of a shared object, requests that are to end. So neither the door nor the
// serving thread does it, and clients have their answers meanwhile.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "schedule/daemon/descriptor.h"
#include "service/daemon/service_of_file.h"

namespace genesys::detail::serving {

using schedule::processes::descriptor;

// What a client wants, and what has become of it.
struct order {
  descriptor client;  // its socket, for the answer
  std::string name;
  std::vector<descriptor> files;                     // to load
  std::shared_ptr<const service_of_file> to_unload;  // or this
  int error = 0;                                     // an errno; `why` says it in words
  std::string why;
  std::shared_ptr<service_of_file> loaded;
};

class loading {
 public:
  // `done` is an eventfd, told when take_done() has an order. Throws error.
  loading(service_server& server, const service_daemon_options& options, int done);
  ~loading();
  loading(const loading&) = delete;
  loading& operator=(const loading&) = delete;

  // False: too many orders wait.
  bool has_space();
  void add(order asked);
  std::vector<order> take_done();
  // Waits for the order that has begun, as long as the options say. If a shared object's initializer does not end,
  // nothing can end it: the process then exits with status 1.
  void stop();

 private:
  void run();
  void load(order& asked) const;
  void unload(order& asked) const;

  service_server& server_;
  const unsigned drain_ms_, end_ms_;
  const int done_event_;
  std::atomic<bool> stopping_{false};
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::deque<order> waiting_;
  std::vector<order> done_;
  bool is_running_ = true;
  std::thread thread_;
};

}  // namespace genesys::detail::serving
