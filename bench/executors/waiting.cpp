// SPDX-License-Identifier: Apache-2.0
// Short calls of one block while other callers wait for the disk all the time.
#include <string>

#include "executors/parts.h"
#include "support/measure.h"

namespace executors {

using measure::numbers;

namespace {

constexpr unsigned beside = 64;  // callers

template <class Work>
void wait_beside(measure::bench& all, shared& in, const char* name, Work work, unsigned callers) {
  work.callers = callers;
  numbers each[2], medians[2], p99s[2];
  for (unsigned round = 0; round <= in.rounds; ++round) {  // the first round does not count
    for (unsigned which = 0; which < 2; ++which) {
      work.first = in.next_first();
      const numbers us = (which == 0 ? in.threads : in.uring).calls_beside_us(work, 5 * in.round_ns);
      if (round == 0) continue;
      each[which].insert(each[which].end(), us.begin(), us.end());
      medians[which].push_back(measure::median(us));
      p99s[which].push_back(measure::quantile(us, 0.99));
    }
  }
  const std::string what = std::string("getppid_") + name;
  all.keep_each(what + "_threads", "us", each[0]);
  all.keep_each(what + "_uring", "us", each[1]);
  if (!all.on_gpu()) return;
  all.keep(what + "_median_uring_to_threads", "ratio", measure::ratios(medians[1], medians[0]));
  all.keep(what + "_p99_uring_to_threads", "ratio", measure::ratios(p99s[1], p99s[0]));
}

}  // namespace

void waiting(measure::bench& all, shared& in) {
  wait_beside(all, in, "alone", in.reads(in.file.fd()), 0);
  if (in.has_direct()) wait_beside(all, in, "beside_reads", in.reads(in.direct.fd()), beside);
  wait_beside(all, in, "beside_fdatasync", in.writes(true), beside);
}

}  // namespace executors
