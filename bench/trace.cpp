// SPDX-License-Identifier: Apache-2.0
// What recording costs. The same calls, by turns, in a runtime that was compiled without any tracing ("none"), in one
// that records nothing ("off": it counts calls, errors and bytes), and in one that records every call to a file
// ("full"). And how many calls a recording loses, by the rate of calls.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/cached_file.h"
#include "support/measure.h"
#include "support/run.h"
#include "trace_side/side.h"

namespace {

using measure::bench;
using trace_bench::call;
using trace_bench::shape;
using trace_bench::side;

std::string folder = ".";

// A library next to the program.
std::unique_ptr<side> loaded(const std::string& name, const trace_bench::side_options& as) {
  const auto path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw measure::failure(::dlerror());
  auto* const make =
      reinterpret_cast<trace_bench::make_side*>(::dlsym(library, trace_bench::make_side_name));  // never unloaded
  if (make == nullptr) throw measure::failure(::dlerror());
  return std::unique_ptr<side>(make(as));
}

struct sides {
  explicit sides(bench& all)
      : file(1 << 20),
        as{all.on_gpu() ? "cuda" : "cpu", all.runtime_options().workers, file.fd()},
        none(loaded("bench_trace_none.so", as)),
        off(loaded("bench_trace_full.so", as)),
        full(loaded("bench_trace_full.so", as)),
        recording(folder + "/genesys-bench-trace.recording") {}
  ~sides() {
    full->stop();
    std::filesystem::remove(recording);
  }
  const baseline::cached_file file;
  const trace_bench::side_options as;
  const std::unique_ptr<side> none, off, full;
  const std::string recording;
};

// Two runtimes of one kind may differ by a twentieth for as long as they live, by where their memory lies. So each
// round makes new ones.
void cost(bench& all) {
  const std::vector<shape> shapes =
      all.on_gpu() ? std::vector<shape>{{1, 32, 1}, {32, 32, 1}, {264, 32, 1}, {66, 32, 32}, {264, 128, 32}}
                   : std::vector<shape>{{1, 32, 1}, {32, 32, 1}, {8, 32, 32}};
  const std::vector<std::pair<call, std::string>> calls_made{{call::getppid, "getppid"}, {call::pread, "pread"}};
  struct rounds {
    measure::numbers none_mps, full_mps, off_to_none, full_to_none;
  };
  std::map<std::pair<std::string, unsigned>, rounds> found;
  trace_bench::counts made{};
  for (int round = 0; round < (!all.on_gpu() ? 1 : all.quick() ? 2 : 11); ++round) {
    sides of(all);
    of.full->start(of.recording.c_str());
    for (const auto& [which, name] : calls_made) {
      for (const shape& in : shapes) {
        const unsigned total = which == call::getppid ? 1'000'000 : 100'000, most = 10'000;
        const unsigned share = all.on_gpu() ? 1 : 20;
        const unsigned calls = std::clamp(total / share / in.lanes(), 8u, most / share);
        const auto [none, off, full] = bench::by_turns(
            all.on_gpu() ? 5 : 2, [&] { of.none->ask(which, in, calls); }, [&] { of.off->ask(which, in, calls); },
            [&] { of.full->ask(which, in, calls); });
        const double count = double(in.lanes()) * calls;
        const auto us = [count](const measure::costs& one) { return measure::median(measure::each_us(one, count)); };
        rounds& at = found[{name, in.lanes()}];
        at.none_mps.push_back(1 / us(none));
        at.full_mps.push_back(1 / us(full));
        at.off_to_none.push_back(us(off) / us(none));
        at.full_to_none.push_back(us(full) / us(none));
      }
    }
    of.full->stop();
    const trace_bench::counts now = of.full->so_far();
    made.recorded += now.recorded, made.dropped += now.dropped;
  }
  rounds all_shapes;
  for (const auto& [at, one] : found) {
    const auto& [name, lanes] = at;
    all.keep_at("calls", name + ", none", "lanes", lanes, "M/s", one.none_mps);
    all.keep_at("calls", name + ", full", "lanes", lanes, "M/s", one.full_mps);
    all.keep_at("to_none", name + ", off", "lanes", lanes, "ratio", one.off_to_none);
    all.keep_at("to_none", name + ", full", "lanes", lanes, "ratio", one.full_to_none);
    all.keep("full_to_none_" + name + "_" + std::to_string(lanes), "ratio", one.full_to_none);
    all_shapes.off_to_none.insert(all_shapes.off_to_none.end(), one.off_to_none.begin(), one.off_to_none.end());
    all_shapes.full_to_none.insert(all_shapes.full_to_none.end(), one.full_to_none.begin(), one.full_to_none.end());
  }
  all.keep("off_to_none", "ratio", all_shapes.off_to_none);
  all.keep("full_to_none", "ratio", all_shapes.full_to_none);
  all.keep("cost_lost", "share",
           double(made.dropped) / double(std::max<std::uint64_t>(made.recorded + made.dropped, 1)));
}

// For `seconds` at each rate. What is neither recorded nor counted as lost is an error.
void rate(bench& all) {
  sides of(all);
  const double seconds = all.quick() || !all.on_gpu() ? 1 : 10;
  const shape in = all.on_gpu() ? shape{264, 64, 32} : shape{1, 32, 32};
  for (const double millions : all.on_gpu() ? std::vector<double>{1, 10, 20, 40} : std::vector<double>{0.05}) {
    const double length = millions == 10 ? seconds : std::min(seconds, 3.0);
    const auto period_ns = static_cast<unsigned>(in.lanes() / millions * 1e3);
    const auto calls = static_cast<unsigned>(length * 1e9 / period_ns);
    const trace_bench::counts before = of.full->so_far();
    of.full->start(of.recording.c_str());
    const measure::cost took = measure::timed([&] { of.full->ask(call::getppid, in, calls, period_ns); });
    const measure::cost rest = measure::timed([&] { of.full->stop(); });
    const trace_bench::counts after = of.full->so_far();
    const auto made = double(in.lanes()) * calls;
    const auto recorded = double(after.recorded - before.recorded), lost = double(after.dropped - before.dropped);
    if (recorded + lost != made) throw measure::failure("calls were neither recorded nor counted as lost");
    const double bytes = double(std::filesystem::file_size(of.recording));
    all.keep_at("lost", "share that is lost", "M/s", millions, "share", {lost / made});
    all.keep_at("lost", "rate that was reached, of the rate", "M/s", millions, "share",
                {made / took.seconds / 1e6 / millions});
    if (millions != 10 && all.on_gpu()) continue;
    all.keep("lost_below_rate", "calls", lost);
    all.keep("rate_reached", "M/s", made / took.seconds / 1e6);
    all.keep("rate_calls", "M", made / 1e6);
    all.keep("rate_file", "MB/s", bytes / 1e6 / (took.seconds + rest.seconds));
    all.keep("rate_bytes_a_call", "bytes", bytes / recorded);
    all.keep("rate_stop", "s", rest.seconds);
    all.keep("rate_user_cores", "cores", took.user_s / took.seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench all("trace", "What recording every call costs, and how many calls it loses.");
  all.option("--folder", folder, "where the recordings go (default: the working folder)");
  all.part("cost", "getppid and pread of 64 bytes: recording off, and full, to a runtime without tracing", cost);
  all.part("rate", "getppid at several rates, recorded to the disk", rate);
  return baseline::run(all, argc, argv);
}
