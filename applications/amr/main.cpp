// SPDX-License-Identifier: Apache-2.0
// Runs the simulation by a kernel or by the CPU, and prints what it says.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

#include "genesys/genesys.h"
#include "kernel.h"
#include "openmp.h"
#include "options.h"
#include "support/program.h"
#include "support/storage.h"

namespace {

using namespace amr;

void write_timeline(std::ofstream& to, const std::string& path, const std::vector<history>& past) {
  to << "step,ms,leaves,mapped_bytes\n";
  for (const history& each : past)
    to << each.step << "," << static_cast<double>(each.ns) / 1e6 << "," << each.leaves << "," << each.mapped_bytes
       << "\n";
  if (!to.flush()) throw std::runtime_error("cannot write " + path);
}

// The arrays of a task.
task make_task(const settings& chosen, application::storage& from) {
  const std::size_t n = chosen.leaves_max;
  task t{};
  t.m.leaves = from.of_device<leaf>(n);
  t.m.levels = chosen.levels;
  for (u32 level = 0; level < chosen.levels; ++level) {
    const std::size_t on_side = leaves_on_side(level);
    t.m.at[level] = from.of_device<u32>(on_side * on_side * on_side, 0xff);  // no_leaf
  }
  pools first{};
  first.regions = from.of_device<region>(std::size_t{levels_max} * regions_max);
  first.watermark = chosen.watermark_mib << 20;
  t.memory = from.of_device<pools>(1);
  from.put(t.memory, first);
  t.all = from.of_device<state>(1);
  t.wanted = from.of_device<u32>(n);
  t.changes = from.of_device<u32>(n);
  t.copies = from.of_device<copy_task>(n * 2);
  t.removed = from.of_device<u32>(n);
  t.free_numbers = from.of_device<u32>(n);
  t.past = from.of_device<history>(chosen.steps / steps_of_mesh + 1);
  t.leaves_max = chosen.leaves_max;
  t.steps = chosen.steps;
  t.first_level = chosen.first_level;
  return t;
}

int run(const settings& chosen) {
  std::ofstream timeline;
  if (!chosen.timeline.empty()) {  // before the work: it would be in vain
    timeline.open(chosen.timeline);
    if (!timeline) throw std::runtime_error("cannot write " + chosen.timeline);
  }
  std::optional<genesys::runtime> rt;
  if (chosen.by == version::kernel) {
    genesys::options options{.device = chosen.device};
    options.mapped_bytes_max = chosen.limit_mib << 20;
    rt.emplace(options);
  }
  application::storage from(rt ? &*rt : nullptr);
  const task t = make_task(chosen, from);
  const auto begin = std::chrono::steady_clock::now();
  if (rt) {
    const bool cuda = rt->kind() == genesys::device_kind::cuda;
    const u32 blocks = chosen.blocks != 0 ? chosen.blocks : cuda ? 132 : 2;
    const u32 threads = chosen.threads != 0 ? chosen.threads : cuda ? 1024 : 32;
    genesys::launch(*rt, {.blocks = {blocks}, .threads = {threads}}, simulate{}, t).drain();
  } else {
    simulate_by_openmp(t, chosen.limit_mib << 20, chosen.by == version::vectors);
  }
  const double took = application::seconds_since(begin);
  const state done = from.back(t.all, 1)[0];
  const pools used = from.back(t.memory, 1)[0];
  if (!chosen.timeline.empty()) write_timeline(timeline, chosen.timeline, from.back(t.past, done.noted));
  if (chosen.statistics)
    std::fprintf(stderr, "amr: leaves %u, time %.4f s, memory at most %.0f MiB, mapped %u times, given back %u times\n",
                 done.live, took, static_cast<double>(used.most_bytes) / 1048576.0, used.mapped, used.given_back);
  if (done.error == ENOMEM)
    throw std::runtime_error("no memory left after " + std::to_string(used.mapped_bytes >> 20) +
                             " MiB: raise --limit, or give back more by a lower --watermark");
  if (done.error == EDEADLK) throw std::runtime_error("not all blocks run at a time: lower --blocks or --threads");
  if (done.error == ENOSPC)
    throw std::runtime_error("more than " + std::to_string(chosen.leaves_max) + " leaves: raise --leaves");
  if (done.error != 0) throw std::runtime_error(std::strerror(done.error));
  const u64 finest = leaves_on_side(chosen.levels - 1);
  if (done.volume != finest * finest * finest) throw std::runtime_error("the leaves do not cover the domain");
  std::printf("steps %u, leaves %u, sum %016llx\n", chosen.steps, done.live, static_cast<unsigned long long>(done.sum));
  application::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("amr", 1, argc, argv, parse, run); }
