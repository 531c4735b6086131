// SPDX-License-Identifier: Apache-2.0
// Launches the simulation (kernel.h) and prints what it says.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "genesys/genesys.h"
#include "kernel.h"
#include "options.h"
#include "support/device_array.h"
#include "support/program.h"

namespace {

using namespace amr;
using application::device_array;

void write_timeline(const std::string& path, const std::vector<history>& past, u32 entries) {
  std::ofstream to(path);
  to << "step,ms,leaves,mapped_bytes\n";
  for (u32 i = 0; i < entries; ++i)
    to << past[i].step << "," << static_cast<double>(past[i].ns) / 1e6 << "," << past[i].leaves << ","
       << past[i].mapped_bytes << "\n";
  if (!to.flush()) throw std::runtime_error("cannot write " + path);
}

int run(const settings& chosen) {
  genesys::options options{.device = chosen.device};
  options.mapped_bytes_max = chosen.limit_mib << 20;
  genesys::runtime rt(options);
  const bool cuda = rt.kind() == genesys::device_kind::cuda;
  const std::size_t n = chosen.leaves_max;
  device_array<leaf> leaves(rt, n);
  std::vector<std::unique_ptr<device_array<u32>>> places;
  task t{};
  t.m.leaves = leaves.data();
  t.m.levels = chosen.levels;
  for (u32 level = 0; level < chosen.levels; ++level) {
    const std::size_t on_side = leaves_on_side(level), count = on_side * on_side * on_side;
    places.push_back(std::make_unique<device_array<u32>>(rt, count));
    t.m.at[level] = places.back()->data();
    rt.fill_device(t.m.at[level], 0xff, count * sizeof(u32));  // no_leaf
  }
  device_array<region> regions(rt, std::size_t{levels_max} * regions_max);
  pools first{};
  first.regions = regions.data();
  first.watermark = chosen.watermark_mib << 20;
  const device_array<pools> memory(rt, std::vector<pools>{first});
  device_array<state> all(rt, 1);
  device_array<u32> wanted(rt, n), changes(rt, n), removed(rt, n), free_numbers(rt, n);
  device_array<copy_task> copies(rt, n * 2);
  device_array<history> past(rt, chosen.steps / steps_of_mesh + 1);
  t.memory = memory.data();
  t.all = all.data();
  t.wanted = wanted.data();
  t.changes = changes.data();
  t.copies = copies.data();
  t.removed = removed.data();
  t.free_numbers = free_numbers.data();
  t.past = past.data();
  t.leaves_max = chosen.leaves_max;
  t.steps = chosen.steps;
  t.first_level = chosen.first_level;
  const u32 blocks = chosen.blocks != 0 ? chosen.blocks : cuda ? 132 : 2;
  const u32 threads = chosen.threads != 0 ? chosen.threads : cuda ? 1024 : 32;

  const auto begin = std::chrono::steady_clock::now();
  genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, simulate{}, t).drain();
  const double took = application::seconds_since(begin);
  const state done = all.back()[0];
  const pools used = memory.back()[0];
  if (!chosen.timeline.empty()) write_timeline(chosen.timeline, past.back(), done.noted);
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
