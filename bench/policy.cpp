// SPDX-License-Identifier: Apache-2.0
// The cost of a policy: getppid at the peak and from one thread under policy io and under all, by turns. Beside it the
// cost of a seccomp filter that allows everything, for native threads.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"
#include "support/wrongs.h"

namespace {

using measure::bench;

struct ask_parent {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.getppid() != parent) baseline::wrong(wrong);
    }
  }
};

// Sets a filter that allows every call.
bool filter_this_thread() {
  sock_filter all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program{1, all};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

genesys::options confined(const bench& all) {
  genesys::options chosen = all.runtime_options();
  chosen.policy = "io";
  return chosen;
}

void confined_calls(bench& all) {
  genesys::runtime &open = all.runtime(), io(confined(all));
  const baseline::wrongs wrong(open), wrong_io(io);
  const long parent = ::getppid();
  const auto ask = [&](genesys::runtime& rt, unsigned blocks, unsigned threads, unsigned calls) {
    genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, ask_parent{}, calls, parent,
                    (&rt == &io ? wrong_io : wrong).on_device())
        .drain();
  };
  const unsigned blocks = all.on_gpu() ? 528 : 4, threads = all.on_gpu() ? 128 : 32;
  const unsigned calls = (all.on_gpu() ? 400 : 200) / (all.quick() ? 4 : 1);
  const auto [peak, peak_io] = bench::by_turns(
      7, [&] { ask(open, blocks, threads, calls); }, [&] { ask(io, blocks, threads, calls); });
  const auto peak_mps = measure::millions_per_second(peak, double(blocks) * threads * calls),
             peak_io_mps = measure::millions_per_second(peak_io, double(blocks) * threads * calls);
  all.keep("peak_all", "M/s", peak_mps);
  all.keep("peak_io", "M/s", peak_io_mps);
  all.keep("peak_io_to_all", "ratio", measure::ratios(peak_io_mps, peak_mps));

  const unsigned alone = all.quick() ? 3000 : 10000;
  const auto [one, one_io] = bench::by_turns(
      7, [&] { ask(open, 1, 1, alone); }, [&] { ask(io, 1, 1, alone); });
  const auto one_us = measure::each_us(one, alone), one_io_us = measure::each_us(one_io, alone);
  all.keep("one_thread_all", "us", one_us);
  all.keep("one_thread_io", "us", one_io_us);
  all.keep("one_thread_io_to_all", "ratio", measure::ratios(one_io_us, one_us));
  wrong.none();
  wrong_io.none();
}

void filtered_threads(bench& all) {
  baseline::native_threads open(baseline::workers(all)), filtered(open.count());
  filtered([](unsigned) { return filter_this_thread(); });
  const unsigned calls = (all.on_gpu() ? 1'000'000 : 200'000) / (all.quick() ? 4 : 1);
  const auto ask = [&](unsigned) { return baseline::ask_natively(calls); };
  const auto [without, with] = bench::by_turns(
      7, [&] { open(ask); }, [&] { filtered(ask); });
  const double made = double(calls) * open.count();
  const auto without_mps = measure::millions_per_second(without, made),
             with_mps = measure::millions_per_second(with, made);
  all.keep("native", "M/s", without_mps);
  all.keep("native_filtered", "M/s", with_mps);
  all.keep("native_filtered_to_native", "ratio", measure::ratios(with_mps, without_mps));
}

}  // namespace

int main(int argc, char** argv) {
  bench all("policy", "The cost of a policy, and of a seccomp filter.");
  all.part("native", "as many threads as workers, under a filter that allows everything, against none",
           filtered_threads);
  all.part("getppid", "under policy io against all", confined_calls);
  return baseline::run(all, argc, argv);
}
