// SPDX-License-Identifier: Apache-2.0
// What it costs to be there when a kernel calls, and how late one is. Parts:
//   idle: CPU time of the process with no run attached, with one and no kernel, with a kernel that does not call.
//   first: the first call of a kernel before whose launch all workers slept, and its later ones.
//   gap: a call of a thread that has not called for so long, by gap: median, p90 and the largest.
// Prints a table, and the same as JSON with --json FILE. `--quick` does less of each, `--only PART` one of them.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "measure.h"

namespace {

using measure::clock;
using measure::median;
using measure::seconds_since;

measure::figures figures;

// Between the calls it leaves the link alone.
GENESYS_KERNEL void sleep_ns(unsigned long long ns) {
  const unsigned long long begin = genesys::clock_ns();
  while (genesys::clock_ns() - begin < ns) genesys::pause(1000);
}

struct call_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, unsigned long long gap_ns,
                                 unsigned long long* took_ns) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (gap_ns != 0) sleep_ns(gap_ns);
      const unsigned long long begin = genesys::clock_ns();
      os.getppid();
      took_ns[i] = genesys::clock_ns() - begin;
    }
  }
};

struct never_call {
  GENESYS_KERNEL void operator()(genesys::os, unsigned long long ns) const { sleep_ns(ns); }
};

struct spread {
  double median, p90, most;
};

spread spread_of(std::vector<double> us) {
  std::sort(us.begin(), us.end());
  return {us[us.size() / 2], us[us.size() * 9 / 10], us.back()};
}

std::vector<double> calls_us(genesys::runtime& rt, unsigned calls, unsigned long long gap_ns,
                             unsigned long long* took_ns) {
  genesys::launch(rt, {}, call_now_and_then{}, calls, gap_ns, took_ns).drain();
  std::vector<double> us;
  for (unsigned i = 0; i < calls; ++i) us.push_back(double(took_ns[i]) / 1e3);
  return us;
}

void gaps(genesys::runtime& rt, bool quick, unsigned long long* took_ns) {
  for (const double gap_ms : {0.0, 0.1, 0.3, 1.0, 3.0, 30.0, 1000.0}) {
    const unsigned calls = gap_ms >= 1000 ? (quick ? 2 : 5) : gap_ms >= 30 ? (quick ? 10 : 50) : 200;
    const spread s = spread_of(calls_us(rt, calls, static_cast<unsigned long long>(gap_ms * 1e6), took_ns));
    std::printf("gap         %6.1f ms: a call takes %.1f us, p90 %.1f, at most %.1f us (%u calls)\n", gap_ms, s.median,
                s.p90, s.most, calls);
    char name[32];
    std::snprintf(name, sizeof name, "gap_%g_ms", gap_ms);
    figures.keep(std::string(name) + "_us", s.median);
    figures.keep(std::string(name) + "_p90_us", s.p90);
  }
}

void first(genesys::runtime& rt, bool quick, unsigned long long* took_ns) {
  calls_us(rt, 20, 0, took_ns);  // the first launch of all: CUDA loads the kernel then
  std::vector<double> firsts, nexts;
  for (int i = 0; i < (quick ? 10 : 50); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::vector<double> us = calls_us(rt, 20, 0, took_ns);
    firsts.push_back(us.front());
    nexts.push_back(median({us.begin() + 10, us.end()}));
  }
  const spread one = spread_of(firsts), rest = spread_of(nexts);
  std::printf("first       the first call after a launch: %.1f us, p90 %.1f, at most %.1f; steady: %.1f us\n",
              one.median, one.p90, one.most, rest.median);
  figures.keep("first_us", one.median);
  figures.keep("first_p90_us", one.p90);
  figures.keep("steady_us", rest.median);
}

double cpu_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

double idle_share(double seconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const double before = cpu_seconds();
  const auto begin = clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return (cpu_seconds() - before) / seconds_since(begin) * 100;
}

void idle(genesys::runtime& rt, double seconds) {
  const double detached = idle_share(seconds);
  double attached, in_flight;
  {
    const genesys::run run = rt.attach();
    attached = idle_share(seconds);
  }
  {
    const genesys::run run =
        genesys::launch(rt, {}, never_call{}, static_cast<unsigned long long>((seconds + 0.2) * 1e9));
    in_flight = idle_share(seconds);
  }
  std::printf(
      "idle        %.3f %% of a core with no run attached, %.3f %% with one and no kernel, %.3f %% with a kernel "
      "that does not call\n",
      detached, attached, in_flight);
  figures.keep("idle_percent_detached", detached);
  figures.keep("idle_percent_attached", attached);
  figures.keep("idle_percent_in_flight", in_flight);
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  const char* json_file = nullptr;
  std::string only;  // empty: all parts
  genesys::options chosen{.device = genesys::device_kind::cuda};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      quick = true;
    else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      json_file = argv[++i];
    else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      only = argv[++i];
    else if (std::strcmp(argv[i], "--watch-us") == 0 && i + 1 < argc)
      chosen.watch_us = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (std::strcmp(argv[i], "--workers") == 0 && i + 1 < argc)
      chosen.workers = static_cast<unsigned>(std::atoi(argv[++i]));
    else
      return std::fprintf(stderr, "usage: wake [--quick] [--only PART] [--json FILE] [--watch-us N] [--workers N]\n"),
             2;
  }
  try {
    genesys::runtime rt(chosen);
    std::printf("%s\n", rt.describe().c_str());
    auto* took_ns = static_cast<unsigned long long*>(rt.allocate_arena(200 * sizeof(unsigned long long)));
    const auto wanted = [&](const char* part) { return only.empty() || only == part; };
    if (wanted("idle")) idle(rt, quick ? 1 : 5);
    if (wanted("first")) first(rt, quick, took_ns);
    if (wanted("gap")) gaps(rt, quick, took_ns);
    rt.free_arena(took_ns);
  } catch (const genesys::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return figures.write(json_file) ? 0 : 1;
}
