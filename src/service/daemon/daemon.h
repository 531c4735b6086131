// SPDX-License-Identifier: Apache-2.0
// genesys::service_daemon: the services, the serving thread and the door.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "genesys/serve.h"
#include "service/daemon/door.h"
#include "service/daemon/serving.h"

namespace genesys::detail::serving {

class daemon {
 public:
  daemon(service_server& on, service_registry&& services, const service_daemon_options& options);
  ~daemon();

  void run() { door_->run(); }
  void stop() { door_->stop(); }
  void ask_for_report() { door_->ask_for_report(); }
  std::string report() { return serving_->report(); }
  // The end: requests in flight have time to end.
  void finish();

 private:
  void load(service_server& on, const service_to_load& what, service_table& into) const;

  const service_daemon_options options_;
  descriptor ended_;
  std::unique_ptr<serving> serving_;
  std::unique_ptr<door> door_;
};

}  // namespace genesys::detail::serving
