// SPDX-License-Identifier: Apache-2.0
// Calls a second. Completed getppid by the number of lanes that call, one lane of each warp or all of them; posted
// getppid, sustained (until all are made); both by the number of workers. Beside each, by turns, as many native threads
// as there are workers do the same.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"
#include "support/wrongs.h"

namespace {

using measure::bench;
using measure::costs;
using measure::numbers;

constexpr unsigned warp = genesys::warp_lanes;

template <bool posted>
struct ask_parent {
  static constexpr unsigned threads_max = 256;
  GENESYS_KERNEL void operator()(genesys::os os, unsigned lanes_a_warp, unsigned calls, long parent,
                                 unsigned* wrong) const {
    if (genesys::lane() >= lanes_a_warp) return;
    for (unsigned i = 0; i < calls; ++i) {
      if constexpr (posted) {
        os.posted().getppid();
      } else {
        if (os.getppid() != parent) baseline::wrong(wrong);
      }
    }
  }
};

// The lanes that call.
struct shape {
  unsigned blocks, threads;
  unsigned lanes_a_warp = warp;
  unsigned lanes() const { return blocks * (threads / warp * lanes_a_warp); }
  const char* name() const { return lanes_a_warp == 1 ? "one lane a warp" : "whole warps"; }
};

const std::vector<shape> shapes_on_gpu = {
    {1, 32, 1}, {32, 32, 1}, {132, 32, 1}, {264, 32, 1}, {528, 128, 1}, {2112, 128, 1},
    {1, 32},    {66, 32},    {132, 64},    {264, 128},   {528, 128},    {2112, 128},
};
const std::vector<shape> shapes_on_cpu = {{1, 32, 1}, {32, 32, 1}, {1, 32}, {4, 32}, {8, 32}};

struct measured {
  costs ours, native;
  numbers ours_mps, native_mps;
};

// One runtime, in several shapes, against native threads.
template <bool posted>
class asking {
 public:
  asking(bench& all, genesys::runtime& rt, unsigned workers)
      : all_(all),
        rt_(rt),
        natives_(workers),
        wrong_(rt),
        workers_(workers),
        native_calls_((all.on_gpu() ? 4'000'000 : 400'000) / 12) {
    if (all.quick()) native_calls_ /= 4;
  }

  measured in(const shape& s, unsigned rounds) {
    const unsigned calls = calls_of_lane(s);
    const auto [ours, native] = bench::by_turns(
        rounds, [&] { once(s, calls); },
        [&] { natives_([&](unsigned) { return baseline::ask_natively(native_calls_); }); });
    wrong_.none();
    return {ours, native, measure::millions_per_second(ours, double(s.lanes()) * calls),
            measure::millions_per_second(native, double(natives_.count()) * native_calls_)};
  }

  // The rate of `of` over that of `over`, which has as many lanes, by turns.
  numbers ratio(const shape& of, const shape& over, unsigned rounds) {
    const unsigned calls = calls_of_lane(of);
    const auto [first, second] = bench::by_turns(
        rounds, [&] { once(of, calls); }, [&] { once(over, calls); });
    wrong_.none();
    return measure::ratios(measure::each_us(second, 1), measure::each_us(first, 1));
  }

 private:
  unsigned calls_of_lane(const shape& s) const {
    const unsigned of_twelve = (all_.on_gpu() ? 4'000'000 : 40'000) / (all_.quick() ? 4 : 1);
    const unsigned total = all_.on_gpu() ? of_twelve / 12 * std::min(workers_, 12u) : of_twelve;
    return std::clamp(total / s.lanes(), 8u, all_.on_gpu() ? 20'000u : 2'000u);
  }

  void once(const shape& s, unsigned calls) {
    const genesys::statistics before = posted ? rt_.stats() : genesys::statistics{};
    genesys::launch(rt_, {.blocks = {s.blocks}, .threads = {s.threads}}, ask_parent<posted>{}, s.lanes_a_warp, calls,
                    static_cast<long>(::getppid()), wrong_.on_device())
        .drain();
    if (!posted) return;
    const genesys::statistics after = rt_.stats();
    if (after.posted - before.posted != std::uint64_t{s.lanes()} * calls || after.posted_failed != before.posted_failed)
      throw measure::failure("posted calls were lost, or failed");
  }

  bench& all_;
  genesys::runtime& rt_;
  baseline::native_threads natives_;
  const baseline::wrongs wrong_;
  const unsigned workers_;
  unsigned native_calls_;  // of each thread
};

template <bool posted>
void by_lanes(bench& all) {
  const std::string name = posted ? "posted" : "completed";
  asking<posted> ask(all, all.runtime(), baseline::workers(all));
  measured best;
  for (const shape& s : all.on_gpu() ? shapes_on_gpu : shapes_on_cpu) {
    if (posted && s.lanes() < 32) continue;
    const measured now = ask.in(s, all.quick() ? 3 : 5);
    all.keep_at(name, s.name(), "lanes", s.lanes(), "M/s", now.ours_mps);
    if (best.ours_mps.empty() || measure::median(now.ours_mps) > measure::median(best.ours_mps)) best = now;
  }
  all.keep(name + "_peak", "M/s", best.ours_mps);
  all.keep(name + "_peak_native", "M/s", best.native_mps);
  all.keep(name + "_peak_to_native", "ratio", measure::ratios(best.ours_mps, best.native_mps));
  all.keep(name + "_peak_user_cores", "cores", measure::user_cores(best.ours));
  all.keep(name + "_peak_system_cores", "cores", measure::system_cores(best.ours));
  if (posted) return;
  const auto [single, whole] =
      all.on_gpu() ? std::pair{shape{2112, 128, 1}, shape{132, 64}} : std::pair{shape{32, 32, 1}, shape{1, 32}};
  all.keep("one_lane_to_whole_warps", "ratio", ask.ratio(single, whole, all.quick() ? 3 : 7));
}

void by_workers(bench& all) {
  for (const unsigned workers : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 14u}) {
    if (workers > std::thread::hardware_concurrency()) break;
    genesys::options chosen = all.runtime_options();
    chosen.workers = workers;
    chosen.queues = 0;  // as many as workers
    genesys::runtime rt(chosen);
    asking<false> ask(all, rt, workers);
    asking<true> post(all, rt, workers);
    const auto shapes = all.on_gpu() ? std::vector<shape>{{66, 32}, {528, 128}} : std::vector<shape>{{1, 32}, {8, 32}};
    numbers native;
    for (const shape& s : shapes) {
      const measured asked = ask.in(s, 3), sent = post.in(s, 3);
      const std::string lanes = std::to_string(s.lanes()) + " lanes";
      all.keep_at("by_workers", lanes, "workers", workers, "M/s", asked.ours_mps);
      all.keep_at("by_workers", lanes + ", posted", "workers", workers, "M/s", sent.ours_mps);
      native.insert(native.end(), asked.native_mps.begin(), asked.native_mps.end());
    }
    all.keep_at("by_workers", "native", "workers", workers, "M/s", native);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench all("throughput", "How many calls a second, beside native threads that do the same.");
  all.part("completed", "getppid by lanes that call, until all have their results", by_lanes<false>);
  all.part("posted", "posted getppid, until all are made", by_lanes<true>);
  all.part("workers", "the same by workers, with a new runtime for each; native: as many threads", by_workers);
  return baseline::run(all, argc, argv);
}
