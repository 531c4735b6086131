// SPDX-License-Identifier: Apache-2.0
// A daemon, and clients in the test's own process that know each other.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "processes.h"

namespace daemon_testing {

// On a busy machine a member may be held for so long that it rises. Then it need not hold.
inline server_options without_aging() {
  server_options options;
  options.aging.aging_step = 0;
  return options;
}

struct world {
  folder in;
  server_options options;
  std::unique_ptr<daemon_process> daemon;
  std::vector<client*> all;

  explicit world(server_options with = without_aging()) : options(std::move(with)) {
    options.socket = in.file("socket");
    start();
  }
  void start() { daemon = std::make_unique<daemon_process>(options); }

  // A member that the others know, too.
  std::unique_ptr<client> member(int nice) {
    auto made = on_device(0, nice);
    for (client* each : all) EXPECT_TRUE(eventually([&] { return each->poll(), each->others() == all.size(); }));
    all.push_back(made.get());
    return made;
  }
  std::unique_ptr<client> on_device(u64 device, int nice) {
    client_options with = options_of(options.socket, nice);
    with.device = device;
    auto made = std::make_unique<client>(with);
    EXPECT_TRUE(made->connect()) << made->refused();
    return made;
  }
  void forget(std::unique_ptr<client>& one) {
    std::erase(all, one.get());
    one.reset();
  }
};

}  // namespace daemon_testing
