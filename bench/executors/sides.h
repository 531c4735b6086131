// SPDX-License-Identifier: Apache-2.0
// The same work by turns: by the executors, and by native threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "executors/shared.h"
#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace executors {

using measure::bench;
using measure::numbers;
using measure::scaled;

constexpr unsigned natives_max = 256;  // threads

struct side {
  std::string name;
  executor* by;  // none: native threads
  unsigned callers;
  numbers calls_per_s = {}, user = {}, system = {};
  numbers queue_migrations = {}, together = {};  // for each call; calls in each submission
  double workers = 0;                            // threads at the end
};

template <class Work>
std::vector<unsigned> natively(baseline::native_threads& threads, const Work& work, u64 ns) {
  std::vector<unsigned> made(work.callers);
  threads([&](unsigned me) {
    const auto end = measure::clock::now() + std::chrono::nanoseconds(ns);
    bool right = true;
    unsigned i = 0;
    for (; i < work.calls_max() && (i == 0 || measure::clock::now() < end); ++i) right &= work.natively(me, i);
    made[me] = i;
    return right;
  });
  return made;
}

inline void nothing_before() {}
template <class Work>
void nothing_after(const Work&, const std::vector<unsigned>&) {}

// Measures `work` by `callers` on both executors, by as many native threads as a runtime has workers, and by as many as
// there are callers. Calls before() before each round, and after(work, calls of each caller) after it.
template <class Work, class Before = void (*)(), class After = void (*)(const Work&, const std::vector<unsigned>&)>
std::vector<side> compare(shared& in, const Work& work, unsigned callers, const Before& before = nothing_before,
                          const After& after = nothing_after<Work>) {
  const unsigned few = std::min(in.workers, natives_max), many = std::min(callers, natives_max);
  std::vector<side> sides = {
      {"threads", &in.threads, callers}, {"uring", &in.uring, callers}, {"native", nullptr, many}};
  if (few < many) sides.push_back({"native_workers", nullptr, few});
  std::deque<baseline::native_threads> natives;
  for (const side& one : sides) {
    if (one.by == nullptr) natives.emplace_back(one.callers);
  }
  for (unsigned round = 0; round <= in.rounds; ++round) {  // the first round does not count
    auto native = natives.begin();
    for (side& one : sides) {
      Work mine = work;
      mine.callers = one.callers;
      mine.first = in.next_first();
      mine.memory = in.threads.memory();  // of native threads
      before();
      const auto stats = [&] { return one.by != nullptr ? (*one.by)->stats() : genesys::statistics{}; };
      const genesys::statistics then = stats();
      std::vector<unsigned> made;
      const measure::cost cost = measure::timed(
          [&] { made = one.by != nullptr ? (*one.by)(mine, in.round_ns) : natively(*native++, mine, in.round_ns); });
      const genesys::statistics now = stats();
      after(mine, made);
      if (round == 0) continue;
      double calls = 0;
      for (const unsigned each : made) calls += each;
      one.calls_per_s.push_back(calls / cost.seconds);
      one.user.push_back(cost.user_s / cost.seconds);
      one.system.push_back(cost.system_s / cost.seconds);
      one.queue_migrations.push_back(double(now.queue_migrations - then.queue_migrations) / calls);
      if (const auto submissions = now.uring_submissions - then.uring_submissions; submissions != 0)
        one.together.push_back(double(now.uring_calls - then.uring_calls) / double(submissions));
      one.workers = now.workers;
    }
  }
  return sides;
}

// Figures of each side, their names beginning with `name`.
void keep_ratios(bench& all, const std::string& name, const std::vector<side>& sides);
void keep_costs(bench& all, const std::string& name, const std::vector<side>& sides);
void keep_rates(bench& all, const std::string& name, const std::vector<side>& sides);

// Keeps plots by the number of callers, and the costs as figures.
template <class Work, class... F>
void by_callers(bench& all, shared& in, const std::string& name, const Work& work, const std::vector<unsigned>& callers,
                const F&... around) {
  for (const unsigned count : callers) {
    const std::vector<side> sides = compare(in, work, count, around...);
    for (const side& one : sides) {
      all.keep_at(name, one.name, "callers", count, "k/s", scaled(one.calls_per_s, 1e-3));
      if (one.by != nullptr) all.keep_at(name + "_threads", one.name, "callers", count, "threads", {one.workers});
    }
    const std::string here = name + "_" + std::to_string(count);
    if (std::is_same_v<Work, page_reads>) keep_rates(all, here, sides);
    keep_costs(all, here, sides);
    if (all.on_gpu())
      keep_ratios(all, here, sides);  // on the CPU device the disk's ratios cannot be compared with earlier ones
  }
}

}  // namespace executors
