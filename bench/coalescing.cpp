// SPDX-License-Identifier: Apache-2.0
// What coalescing gains: a worker takes several requests together (GENESYS, ISCA 2018, Figure 10). In the paper each
// bundle costs an interrupt and a kernel thread; here workers poll, so a bundle saves less. Parts:
//
//   bytes  one lane of each warp reads a file in tmpfs by pread64 into the arena, one call after another, in calls of
//          64 bytes to 16 KiB; by the number of calls that a worker waits for. Figures: the time for each byte, and the
//          cores in use
//   alone  the cost for a thread that calls alone: getppid of one thread, by the window
//
// Figures are ratios to the same work without coalescing, measured by turns.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/wrongs.h"

namespace {

using measure::bench;
using measure::numbers;

constexpr unsigned bytes_max = 16 << 10;
constexpr std::array<unsigned, 4> bundles = {1, 2, 4, 8};  // 1: no coalescing
unsigned window_us = 20;

struct read_on {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned bytes, unsigned calls,
                                 unsigned file_bytes, unsigned* wrong) const {
    if (genesys::lane() != 0) return;
    const unsigned me = genesys::block_rank() * (genesys::threads_in_block() / 32) + genesys::thread_rank() / 32;
    const unsigned all = genesys::blocks_in_grid() * (genesys::threads_in_block() / 32);
    for (unsigned i = 0; i < calls; ++i) {
      const std::uint64_t at = (std::uint64_t{i} * all + me) * bytes % file_bytes;
      char* mine = into + std::uint64_t{me} * bytes;
      if (os.pread64(fd, mine, bytes, static_cast<long>(at)) != static_cast<long>(bytes) ||
          reinterpret_cast<const baseline::word*>(mine)[0] != baseline::word_of(at / 8))
        baseline::wrong(wrong);
    }
  }
};

struct ask_on {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.getppid() != parent) baseline::wrong(wrong);
    }
  }
};

void by_bytes(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned blocks = all.on_gpu() ? 132 : 2, warps = all.on_gpu() ? 2 : 8, file_bytes = 16u << 20;
  const baseline::cached_file file("/dev/shm", file_bytes);
  const baseline::wrongs wrong(rt);
  auto* const into = static_cast<char*>(rt.allocate_arena(std::uint64_t{blocks} * warps * bytes_max));
  rt.grant(file.fd());
  for (unsigned bytes = 64; bytes <= bytes_max; bytes *= 4) {
    const unsigned calls = all.on_gpu() ? (all.quick() ? 200 : 1000) : 50;
    const double asked_for = double(blocks) * warps * calls * bytes;
    std::array<double, bundles.size()> taken{};
    const auto once = [&](std::size_t which) {
      rt.coalesce(bundles[which] == 1 ? 0 : window_us, bundles[which]);
      const genesys::statistics before = rt.stats();
      genesys::launch(rt, {.blocks = {blocks}, .threads = {32 * warps}}, read_on{}, file.fd(), into, bytes, calls,
                      file_bytes, wrong.on_device())
          .drain();
      const genesys::statistics after = rt.stats();
      taken[which] = double(after.completed - before.completed) / double(after.bundles - before.bundles);
    };
    const auto rounds = bench::by_turns(
        all.quick() ? 3 : 7, [&] { once(0); }, [&] { once(1); }, [&] { once(2); }, [&] { once(3); });
    wrong.none();
    const numbers without = measure::each_us(rounds[0], asked_for / 1e3);
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      const std::string name = bundles[i] == 1 ? "as they come" : "up to " + std::to_string(bundles[i]);
      const numbers ns = measure::each_us(rounds[i], asked_for / 1e3);
      all.keep_at("time_a_byte", name, "bytes", bytes, "ns", ns);
      const std::string of = "of_" + std::to_string(bytes) + "_bytes_up_to_" + std::to_string(bundles[i]);
      if (i != 0) all.keep(of + "_to_as_they_come", "ratio", measure::ratios(ns, without));
      all.keep(of + "_taken_together", "calls", taken[i]);
      all.keep(of + "_user_cores", "cores", measure::user_cores(rounds[i]));
      all.keep(of + "_system_cores", "cores", measure::system_cores(rounds[i]));
    }
  }
  rt.coalesce(0, 0);
  rt.revoke(file.fd());
  rt.free_arena(into);
}

void alone(bench& all) {
  genesys::runtime& rt = all.runtime();
  const baseline::wrongs wrong(rt);
  const unsigned calls = all.quick() ? 200 : 2000;
  const auto once = [&](unsigned window) {
    rt.coalesce(window, 8);
    genesys::launch(rt, {}, ask_on{}, calls, static_cast<long>(::getppid()), wrong.on_device()).drain();
  };
  const auto rounds = bench::by_turns(
      3, [&] { once(0); }, [&] { once(5); }, [&] { once(20); }, [&] { once(100); });
  wrong.none();
  rt.coalesce(0, 0);
  const std::array<unsigned, 4> windows = {0, 5, 20, 100};
  for (std::size_t i = 0; i < windows.size(); ++i)
    all.keep_at("alone", "getppid", "us of window", windows[i], "us", measure::each_us(rounds[i], calls));
}

}  // namespace

int main(int argc, char** argv) {
  measure::bench all("coalescing", "What coalescing of requests gains (GENESYS, Figure 10).");
  all.option("--window", window_us, "how long a worker leaves the first request for others to arrive, in us");
  all.part("bytes", "the time for each byte, by the bytes of a call and the calls of a bundle", by_bytes);
  all.part("alone", "the cost for a thread that calls alone, by the window", alone);
  return baseline::run(all, argc, argv);
}
