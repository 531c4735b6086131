// SPDX-License-Identifier: Apache-2.0
// An isolated server of these tests.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <memory>

#include "service/twins.h"

namespace service_testing {

// A server whose processes the test knows.
class isolated {
 public:
  explicit isolated(genesys::service_options how = {}) {
    how.isolated = true;
    core_ = std::make_unique<genesys::service_server>(twin_services{}, how);
  }
  genesys::service_server* operator->() { return core_.get(); }
  genesys::service_server& operator*() { return *core_; }
  pid_t child() const { return core_->processes().child; }
  pid_t zygote() const { return core_->processes().zygote; }
  void kill_child() const {
    if (const pid_t pid = child(); pid > 0) ::kill(pid, SIGKILL);
  }
  bool replaced(u64 times) {
    return until([&] { return core_->counts().replaced >= times; });
  }
  void close() { core_.reset(); }

 private:
  std::unique_ptr<genesys::service_server> core_;
};

}  // namespace service_testing
