// SPDX-License-Identifier: Apache-2.0
// Parts that measure calls a second by the number of rings, and their CPU time: SQEs that do nothing, and reads.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "direct/parts.h"
#include "direct/sides.h"
#include "support/measure.h"

namespace direct {

using measure::numbers;
using measure::scaled;

namespace {

// Plots by the number of rings: the rate, the CPU time of a call, and the ratios.
template <class Work>
void compare(bench& all, shared& in, const std::string& name, const Work& work, bool others) {
  std::vector<side> sides;
  for (const unsigned rings : rings_tried) {
    runtime& direct = in.direct.at(rings);
    fed_rings& fed = in.fed.at(rings);
    sides.push_back({"direct", rings, [&, work] { return direct.calls(work, in.round_ns); }});
    sides.push_back({"fed", rings, [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
  }
  if (others) {
    sides.push_back({"threads", 0, [&, work] { return in.threads.calls(work, in.round_ns); }});
    sides.push_back({"uring", 0, [&, work] { return in.uring.calls(work, in.round_ns); }});
  }
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    const std::string it = name + "_" + one.name + (one.rings != 0 ? "_" + std::to_string(one.rings) : "");
    all.keep(it, "M/s", scaled(one.rate, 1e-6));
    all.keep(it + "_user", "cores", one.user);
    all.keep(it + "_system", "cores", one.system);
    all.keep(it + "_cpu", "us a call", sums(one.user_us, one.system_us));
  }
  for (std::size_t i = 0; i + 1 < sides.size() && sides[i].rings != 0; i += 2) {
    const side &direct = sides[i], &fed = sides[i + 1];
    for (const side* one : {&direct, &fed}) {
      all.keep_at(name, one->name, "rings", one->rings, "M/s", scaled(one->rate, 1e-6));
      if (others) {
        all.keep_at(name, "threads", "rings", one->rings, "M/s", scaled(sides[sides.size() - 2].rate, 1e-6));
        all.keep_at(name, "uring", "rings", one->rings, "M/s", scaled(sides.back().rate, 1e-6));
      }
    }
    if (!all.on_gpu()) continue;
    const std::string it = name + "_" + std::to_string(direct.rings);
    all.keep(it + "_direct_to_fed", "ratio", measure::ratios(direct.rate, fed.rate));
    all.keep(it + "_direct_to_fed_cpu", "ratio",
             measure::ratios(sums(direct.user_us, direct.system_us), sums(fed.user_us, fed.system_us)));
  }
}

}  // namespace

// With four times the callers: it takes as many to reach the most that rings can carry.
void nop(bench& all, shared& in) {
  compare(all, in, "nop", nops{.fd = in.cached.fd(), .callers = std::min(4 * in.callers, callers_max)}, false);
}

void read_files(bench& all, shared& in) {
  for (const unsigned bytes : {page_bytes, 65536u}) {
    const unsigned callers = bytes == page_bytes ? in.callers : in.callers / 4;
    const std::string size = bytes == page_bytes ? "_4KiB" : "_64KiB";
    compare(all, in, "cached" + size, in.of(in.cached.fd(), bytes, callers), true);
    compare(all, in, "tmpfs" + size, in.of(in.tmpfs.fd(), bytes, callers), true);
    if (in.reads_past_cache()) compare(all, in, "o_direct" + size, in.of(in.past_cache.fd(), bytes, callers), true);
  }
}

// The CPU time of calls, over a time that is long against beginning and end.
void cpu(bench& all, shared& in) {
  const u64 ns = all.quick() ? 50'000'000 : 2'000'000'000;
  const reads work = in.of(in.cached.fd(), page_bytes, in.callers);
  std::vector<side> sides;
  sides.push_back({"direct", 4, [&] { return in.direct.at(4).calls(work, ns); }});
  sides.push_back({"fed", 4, [&] { return in.fed.at(4).calls(work, in.threads.memory(), ns); }});
  sides.push_back({"threads", 0, [&] { return in.threads.calls(work, ns); }});
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    all.keep("cpu_" + one.name, "M/s", scaled(one.rate, 1e-6));
    all.keep("cpu_" + one.name + "_user", "cores", one.user);
    all.keep("cpu_" + one.name + "_system", "cores", one.system);
    all.keep("cpu_" + one.name + "_call", "us a call", sums(one.user_us, one.system_us));
  }
}

}  // namespace direct
