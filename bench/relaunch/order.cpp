// SPDX-License-Identifier: Apache-2.0
// Calls in order, none of which needs the result of another: each blocking, or by tickets.
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>

#include "genesys/runtime.h"
#include "relaunch/kernels.h"
#include "relaunch/letters.h"
#include "relaunch/parts.h"
#include "support/measure.h"

namespace relaunch {

void order(measure::bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned rounds = steps_of(all) / in_order;
  const int fd = memfd_create("genesys-bench-order", MFD_CLOEXEC);
  rt.grant(fd);
  auto* from = static_cast<word*>(rt.allocate_arena(in_order * sizeof(word)));
  std::iota(from, from + in_order, 1);
  auto* written = static_cast<word*>(rt.allocate_device(sizeof(word)));
  const auto by = [&](bool tickets) {
    run_write_in_order(rt, tickets, fd, rounds, from, written);
    word sum = 0, last = 0;
    rt.copy_to_host(&sum, written, sizeof sum);
    if (sum != word{rounds} * in_order * sizeof(word)) throw measure::failure("a write went wrong");
    if (pread(fd, &last, sizeof last, 0) != sizeof last || last != in_order)
      throw measure::failure("writes went out of order");
  };
  const auto [blocking, tickets] = all.by_turns(
      all.quick() ? 5u : 9u, [&] { by(false); }, [&] { by(true); });
  const auto blocking_us = measure::each_us(blocking, rounds * in_order),
             tickets_us = measure::each_us(tickets, rounds * in_order);
  all.keep("order, blocking", "us", blocking_us);
  all.keep("order, tickets", "us", tickets_us);
  all.keep("order_blocking_to_tickets", "ratio", measure::ratios(blocking_us, tickets_us));
  rt.revoke(fd);
  rt.free_arena(from);
  rt.free_device(written);
  close(fd);
}

}  // namespace relaunch
