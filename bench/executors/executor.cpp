// SPDX-License-Identifier: Apache-2.0
// All kernels of this bench, in one file: nvcc's code for a kernel depends on the other kernels of its source, and
// results are compared with earlier ones.
#include "executors/executor.h"

#include <unistd.h>

#include "support/times.h"
#include "support/wrongs.h"

namespace executors {

namespace {

template <class Work>
struct work_on {
  GENESYS_KERNEL void operator()(genesys::os os, Work work, u64 ns, unsigned* made, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    const unsigned me = genesys::block_rank();
    unsigned i = 0;
    for (; i < work.calls_max() && (i == 0 || genesys::clock_ns() - begin < ns); ++i) {
      if (!work.call(os, me, i)) baseline::wrong(wrong);
    }
    made[me] = i;
  }
};

// Block 0 makes short calls; the other blocks work until it has made them, or until late_ns.
template <class Work>
struct call_beside {
  static constexpr u64 gap_ns = 100'000, late_ns = 20'000'000'000;
  GENESYS_KERNEL void operator()(genesys::os os, Work work, unsigned calls, u64 ns, long parent, u64* took,
                                 unsigned* over, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    if (genesys::block_rank() != 0) {
      for (unsigned i = 0; genesys::atomic<unsigned>(*over).load() == 0 && genesys::clock_ns() - begin < late_ns; ++i) {
        if (!work.call(os, genesys::block_rank() - 1, i)) baseline::wrong(wrong);
      }
      return;
    }
    const baseline::tick_length length;
    baseline::sleep_ns(100 * gap_ns);  // until the other blocks have begun
    for (unsigned i = 0; i < calls && (i == 0 || genesys::clock_ns() - begin < ns); ++i) {
      baseline::sleep_ns(gap_ns);
      const u64 asked = baseline::ticks();
      if (os.getppid() != parent) baseline::wrong(wrong);
      took[i] = baseline::ticks() - asked;
    }
    length.keep(took + calls);
    genesys::atomic<unsigned>(*over).store(1);
  }
};

genesys::options options(const measure::bench& all, genesys::executor_kind which) {
  genesys::options chosen = all.runtime_options();
  chosen.executor = which;
  return chosen;
}

}  // namespace

executor::executor(const measure::bench& all, genesys::executor_kind which)
    : executor_runtime(options(all, which), callers_max * page_bytes, callers_max) {}

template <class Work>
std::vector<unsigned> executor::operator()(Work work, u64 ns) {
  work.memory = memory();
  genesys::launch(**this, {.blocks = {work.callers}}, work_on<Work>{}, work, ns, made(), wrong().on_device()).drain();
  return calls_made(work.callers);
}
template std::vector<unsigned> executor::operator()(page_reads, u64);
template std::vector<unsigned> executor::operator()(record_writes, u64);

template <class Work>
measure::numbers executor::calls_beside_us(Work work, u64 ns) {
  constexpr unsigned calls = 2000;
  work.memory = memory();
  genesys::runtime& rt = **this;
  const baseline::times took(rt, calls);
  rt.fill_device(made(), 0, sizeof(unsigned));
  genesys::launch(rt, {.blocks = {work.callers + 1}}, call_beside<Work>{}, work, calls, ns,
                  static_cast<long>(::getppid()), took.on_device(), made(), wrong().on_device())
      .drain();
  wrong().none();
  measure::numbers us = took.us();
  std::erase(us, 0.0);
  return us;
}
template measure::numbers executor::calls_beside_us(page_reads, u64);
template measure::numbers executor::calls_beside_us(record_writes, u64);

}  // namespace executors
