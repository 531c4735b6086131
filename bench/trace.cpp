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
#include <memory>
#include <string>
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

void cost(bench& all) {
  sides of(all);
  const std::vector<shape> shapes =
      all.on_gpu() ? std::vector<shape>{{1, 32, 1}, {32, 32, 1}, {264, 32, 1}, {66, 32, 32}, {264, 128, 32}}
                   : std::vector<shape>{{1, 32, 1}, {32, 32, 1}, {8, 32, 32}};
  measure::numbers off_worst, full_worst;
  for (const auto& [which, name] : {std::pair(call::getppid, "getppid"), std::pair(call::pread, "pread")}) {
    for (const shape& in : shapes) {
      const unsigned total = which == call::getppid ? 1'000'000 : 100'000, most = 10'000, share = all.on_gpu() ? 1 : 20;
      const unsigned calls = std::clamp(total / share / in.lanes(), 8u, most / share);
      of.full->start(of.recording.c_str());
      const auto [none, off, full] = bench::by_turns(
          all.quick() ? 3 : 25, [&] { of.none->ask(which, in, calls); }, [&] { of.off->ask(which, in, calls); },
          [&] { of.full->ask(which, in, calls); });
      of.full->stop();
      const double count = double(in.lanes()) * calls;
      const auto none_us = measure::each_us(none, count), off_us = measure::each_us(off, count),
                 full_us = measure::each_us(full, count);
      const auto off_to_none = measure::ratios(off_us, none_us), full_to_none = measure::ratios(full_us, none_us);
      all.keep_at("calls", std::string(name) + ", none", "lanes", in.lanes(), "M/s",
                  measure::millions_per_second(none, count));
      all.keep_at("calls", std::string(name) + ", full", "lanes", in.lanes(), "M/s",
                  measure::millions_per_second(full, count));
      const std::string at = std::string(name) + "_" + std::to_string(in.lanes());
      all.keep("off_to_none_" + at, "ratio", off_to_none);
      all.keep("full_to_none_" + at, "ratio", full_to_none);
      if (which != call::getppid) continue;
      if (off_worst.empty() || measure::median(off_to_none) > measure::median(off_worst)) off_worst = off_to_none;
      if (full_worst.empty() || measure::median(full_to_none) > measure::median(full_worst)) full_worst = full_to_none;
    }
  }
  all.keep("off_to_none", "ratio", off_worst);
  all.keep("full_to_none", "ratio", full_worst);
  const trace_bench::counts made = of.full->so_far();
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
