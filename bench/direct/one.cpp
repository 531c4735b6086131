// SPDX-License-Identifier: Apache-2.0
// One thread's reads of 4 KiB: each by its own clock, and with up to 32 of them in flight, by tickets.
#include <string>
#include <vector>

#include "direct/parts.h"
#include "direct/sides.h"
#include "support/measure.h"

namespace direct {

using measure::numbers;
using measure::scaled;

namespace {

// One thread that has up to 32 tickets.
void ahead(bench& all, shared& in) {
  for (const unsigned under_way : {1u, 8u, ahead_max}) {
    std::vector<side> sides;
    const reads work = in.of(in.cached.fd(), page_bytes, 1);
    for (const unsigned rings : {1u, 4u})
      sides.push_back({"direct_" + std::to_string(rings), rings,
                       [&, work, rings] { return in.direct.at(rings).calls_ahead(work, under_way, in.round_ns); }});
    sides.push_back({"threads", 0, [&, work] { return in.threads.calls_ahead(work, under_way, in.round_ns); }});
    by_turns(sides, in.rounds);
    for (const side& one : sides)
      all.keep_at("tickets", one.name, "reads under way", under_way, "M/s", scaled(one.rate, 1e-6));
  }
}

}  // namespace

void one(bench& all, shared& in) {
  const unsigned count = all.quick() ? 200 : 4000;
  const reads work = in.of(in.cached.fd(), page_bytes, 1);
  std::vector<numbers> each(3), medians(3);
  for (unsigned round = 0; round <= in.rounds; ++round) {
    for (unsigned which = 0; which < 3; ++which) {
      runtime& by = which == 0 ? in.direct.at(1) : which == 1 ? in.direct.at(4) : in.threads;
      const numbers us = by.times_of(work, count);
      if (round == 0) continue;
      each[which].insert(each[which].end(), us.begin(), us.end());
      medians[which].push_back(measure::median(us));
    }
  }
  all.keep_each("one_read_direct_1", "us", each[0]);
  all.keep_each("one_read_direct_4", "us", each[1]);
  all.keep_each("one_read_threads", "us", each[2]);
  if (all.on_gpu()) all.keep("one_read_direct_to_threads", "ratio", measure::ratios(medians[0], medians[2]));
  ahead(all, in);
}

}  // namespace direct
