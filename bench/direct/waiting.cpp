// SPDX-License-Identifier: Apache-2.0
// Receives while nothing arrives, and the CPU time of the process meanwhile.
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "direct/parts.h"
#include "genesys/genesys.h"
#include "support/measure.h"

namespace direct {

using measure::numbers;

void waiting(bench& all, shared& in) {
  runtime& direct = in.direct.at(4);
  const unsigned count = all.quick() ? 500 : 10'000;
  const auto begin_ms = std::chrono::milliseconds(all.quick() ? 50 : 500);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0) throw measure::failure("no sockets");
  const std::uint64_t before = direct->stats().direct_calls;
  const genesys::run run = direct.begin_receives(ends[0], count);
  std::this_thread::sleep_for(begin_ms);
  const auto wait = static_cast<unsigned>(direct->stats().direct_calls - before);
  const auto measure_as = [&](const std::string& name) {
    numbers user, system;
    for (unsigned round = 0; round < shared::rounds; ++round) {
      const measure::cost cost = measure::timed([&] { std::this_thread::sleep_for(3 * begin_ms); });
      user.push_back(cost.user_s / cost.seconds * 100);
      system.push_back(cost.system_s / cost.seconds * 100);
    }
    all.keep(name + "_user", "% of a core", user);
    all.keep(name + "_system", "% of a core", system);
  };
  measure_as("waiting");
  std::this_thread::sleep_for(8 * begin_ms);
  measure_as("waiting_later");
  for (unsigned i = 0; i < count; ++i) {
    if (::send(ends[1], "x", 1, 0) != 1) throw measure::failure("cannot send");
  }
  run.drain();
  direct.wrong().none();
  for (const int fd : ends) ::close(fd);
  if (wait != count) throw measure::failure("not all receives waited in rings");
}

}  // namespace direct
