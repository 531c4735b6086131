// SPDX-License-Identifier: Apache-2.0
// The members of a daemon, as it lists them to any process that may connect. One thread uses a connection.
#pragma once

#include <string>
#include <vector>

#include "schedule/daemon/descriptor.h"
#include "schedule/daemon/kernel_report.h"
#include "schedule/daemon/message.h"

namespace genesys::schedule::processes {

struct watched_member {
  reply row;
  std::vector<kernel_row> kernels;  // the sums first; empty: it reports nothing
};

class member_list {
 public:
  // Throws std::runtime_error if there is no daemon.
  explicit member_list(const std::string& socket);

  // A row for each member. Throws std::runtime_error if the daemon does not reply.
  std::vector<reply> rows();
  // The same with their kernels. Members report these from the first call on, each second.
  std::vector<watched_member> watch();

 private:
  template <class Take>
  void ask(const request& asked, const Take& take);
  std::string path_;
  descriptor to_;
};

std::vector<reply> list_members(const std::string& socket);

}  // namespace genesys::schedule::processes
