// SPDX-License-Identifier: Apache-2.0
// The kernel of this bench, and the memory through which it and the host communicate. Some blocks work when the host
// starts a work; the lanes of all other blocks wait. contention.cpp launches it; no other file includes this.
#pragma once

#include <atomic>
#include <ctime>

#include "genesys/genesys.h"
#include "support/wait_modes.h"

namespace contention {

using word = unsigned long long;

struct alignas(16) two_words {
  word first, second;
};

enum work : unsigned {
  device_memory,
  pinned_memory,
  short_calls,
  works
};  // of the kernel; the host works between the last two

// In pinned memory.
struct doors {
  alignas(64) unsigned go;        // the number of works that may begin; works + 1: give up
  alignas(64) unsigned finished;  // the number of works that are finished
  alignas(64) timespec sleep;     // of each waiting lane
};
// In device memory, zeros before a launch.
struct counts {
  unsigned go;       // doors::go as block 0 has loaded it, so that only one lane polls across the link
  unsigned arrived;  // blocks that have arrived, in all works
  unsigned wrong;
  word sums[2];
};

struct job {
  unsigned blocks;  // that work; the other blocks wait
  const two_words* from[2];
  unsigned count, times[2];  // words of a region, a multiple of one step of all threads; how often they are added up
  unsigned calls;
  long parent;
  unsigned waiting;  // lanes
  measure::wait_mode how;
};

constexpr word host_late_ns = 20'000'000'000;  // after this the kernel does not wait for the host

GENESYS_KERNEL word add_up(const two_words* from, unsigned count, unsigned blocks) {
  const unsigned step = blocks * genesys::threads_in_block();
  word sum = 0;
  for (unsigned i = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank(); i < count;
       i += 4 * step) {  // four loads in flight
    const two_words a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    sum += a.first + a.second + b.first + b.second + c.first + c.second + d.first + d.second;
  }
  return sum;
}

struct wait_or_work {
  GENESYS_KERNEL void operator()(genesys::os os, doors* host, counts* mine, job todo) const {
    if (genesys::block_rank() >= todo.blocks) return wait(os, host, mine, todo);
    for (unsigned now = 0; now < works; ++now) {
      if (now == short_calls && genesys::block_rank() != 0) return;
      if (genesys::sync_block_count(genesys::thread_rank() == 0 && !may_begin(now, host, mine)) != 0) return;
      if (now != short_calls) {
        word sum = 0;
        for (unsigned i = 0; i < todo.times[now]; ++i) {
          sum += add_up(todo.from[now], todo.count, todo.blocks);
          genesys::fence<genesys::thread_scope::block>();  // keeps the compiler from adding up only once
        }
        genesys::atomic<word>(mine->sums[now]).fetch_add(sum, std::memory_order_relaxed);
      } else if (genesys::thread_rank() == 0) {
        for (unsigned i = 0; i < todo.calls; ++i) {
          if (os.getppid() != todo.parent) count_wrong(mine);
        }
      }
      genesys::sync_block();
      if (genesys::thread_rank() != 0) continue;
      const unsigned before = genesys::atomic<unsigned>(mine->arrived).fetch_add(1, std::memory_order_acq_rel);
      if (now == short_calls || before + 1 == (now + 1) * todo.blocks) {
        genesys::atomic<unsigned, genesys::thread_scope::system>(host->finished)
            .store(now + 1, std::memory_order_release);  // pairs with until_finished
      }
    }
  }

 private:
  GENESYS_KERNEL static void count_wrong(counts* mine) { genesys::atomic<unsigned>(mine->wrong).fetch_add(1); }

  GENESYS_KERNEL static void wait(genesys::os os, doors* host, counts* mine, const job& todo) {
    const unsigned lane = (genesys::block_rank() - todo.blocks) * genesys::threads_in_block() + genesys::thread_rank();
    measure::waiting_as(todo.how, os, genesys::thread(), [&](const auto& io) {
      if (lane < todo.waiting && io.nanosleep(&host->sleep) != 0) count_wrong(mine);
    });
  }

  // Called by one thread of each block. Waits until the host starts work `which`. False: the kernel must end.
  GENESYS_KERNEL static bool may_begin(unsigned which, doors* host, counts* mine) {
    const word begin = genesys::clock_ns();
    const bool leader = genesys::block_rank() == 0;
    const genesys::atomic<unsigned> here(mine->go);
    const genesys::atomic<unsigned, genesys::thread_scope::system> there(host->go);
    unsigned seen;
    for (;;) {
      seen = leader ? there.load(std::memory_order_acquire)  // pairs with until_finished
                    : here.load(std::memory_order_acquire);  // pairs with the leader's store
      if (seen <= which && genesys::clock_ns() - begin > host_late_ns) seen = works + 1;
      if (seen > which) break;
      genesys::pause(2000);
    }
    if (leader) here.store(seen, std::memory_order_release);
    return seen <= works;
  }
};

}  // namespace contention
