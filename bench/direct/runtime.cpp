// SPDX-License-Identifier: Apache-2.0
// All kernels of this bench, in one file: nvcc's code for a kernel depends on the other kernels of its source, and
// results are compared with earlier ones.
#include "direct/runtime.h"

#include <algorithm>

#include "direct/limits.h"
#include "support/times.h"
#include "support/wrongs.h"

namespace direct {
namespace {

template <class Work>
struct ask_on {
  GENESYS_KERNEL void operator()(genesys::os os, Work work, u64 ns, unsigned* made, unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    unsigned i = 0;
    for (; i == 0 || genesys::clock_ns() - begin < ns; ++i) {
      if (!work.call(os, me, i)) baseline::wrong(wrong);
    }
    made[me] = i;
  }
};

struct time_reads {
  GENESYS_KERNEL void operator()(genesys::os os, reads work, unsigned count, u64* took, unsigned* wrong) const {
    baseline::time_each(took, count, [&](unsigned i) {
      if (!work.call(os, 0, i)) baseline::wrong(wrong);
      return true;
    });
  }
};

// One thread, with `ahead` reads in flight.
struct read_ahead {
  GENESYS_KERNEL void operator()(genesys::os os, reads work, unsigned ahead, u64 ns, unsigned* made,
                                 unsigned* wrong) const {
    const u64 begin = genesys::clock_ns();
    genesys::ticket_of<genesys::call::pread64> under_way[ahead_max];
    const auto begin_one = [&](unsigned i) {
      const unsigned me = i % ahead;
      under_way[me] = os.ticket().pread64(work.fd, work.memory + u64{me} * work.bytes, work.bytes,
                                          static_cast<long>(work.piece(me, i / ahead) * work.bytes));
    };
    for (unsigned i = 0; i < ahead; ++i) begin_one(i);
    unsigned i = 0;
    for (bool goes_on = true; goes_on || i % ahead != 0; ++i) {
      if (!work.is_right(under_way[i % ahead].wait(), i % ahead, i / ahead)) baseline::wrong(wrong);
      goes_on = goes_on && genesys::clock_ns() - begin < ns;
      begin_one(i + ahead);
    }
    for (unsigned k = i; k < i + ahead; ++k) {
      if (!work.is_right(under_way[k % ahead].wait(), k % ahead, k / ahead)) baseline::wrong(wrong);
    }
    *made = i + ahead;
  }
};

struct receive_once {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned count, char* memory, unsigned* wrong) const {
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (me < count && os.recvfrom(fd, memory + u64{me} * 64, 64, 0) != 1) baseline::wrong(wrong);
  }
};

genesys::options options(const measure::bench& all, genesys::executor_kind which, unsigned rings) {
  genesys::options chosen = all.runtime_options();
  chosen.executor = which;
  chosen.rings = rings;
  chosen.ring_entries = entries;
  chosen.arena_bytes = memory_bytes + (2u << 20);
  chosen.bounce_bytes = 16u << 20;
  return chosen;
}

}  // namespace

runtime::runtime(const measure::bench& all, genesys::executor_kind which, unsigned rings)
    : executor_runtime(options(all, which, rings), memory_bytes, callers_max) {}

template <class Work>
double runtime::calls(Work work, u64 ns) {
  work.memory = memory();
  genesys::launch(**this, {.blocks = {(work.callers + warp - 1) / warp}, .threads = {std::min(work.callers, warp)}},
                  ask_on<Work>{}, work, ns, made(), wrong().on_device())
      .drain();
  double sum = 0;
  for (const unsigned one : calls_made(work.callers)) sum += one;
  return sum;
}
template double runtime::calls(reads, u64);
template double runtime::calls(nops, u64);
template double runtime::calls(datagrams, u64);

double runtime::calls_ahead(reads work, unsigned ahead, u64 ns) {
  work.memory = memory();
  work.callers = ahead;
  genesys::launch(**this, {}, read_ahead{}, work, ahead, ns, made(), wrong().on_device()).drain();
  return calls_made(1).front();
}

measure::numbers runtime::times_of(reads work, unsigned count) {
  work.memory = memory();
  const baseline::times took(**this, count);
  genesys::launch(**this, {}, time_reads{}, work, count, took.on_device(), wrong().on_device()).drain();
  wrong().none();
  return took.us();
}

genesys::run runtime::begin_receives(int fd, unsigned count) {
  return genesys::launch(**this, {.blocks = {(count + warp - 1) / warp}, .threads = {warp}}, receive_once{}, fd, count,
                         memory(), wrong().on_device());
}

}  // namespace direct
