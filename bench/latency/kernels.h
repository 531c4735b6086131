// SPDX-License-Identifier: Apache-2.0
// The kernels of this bench, which time each call by their own clock or leave that to the host. latency.cpp launches
// them; no other file includes this.
#pragma once

#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/times.h"
#include "support/wait_modes.h"
#include "support/wrongs.h"

namespace latency {

using baseline::ticks;
using u64 = std::uint64_t;

struct ask_parent {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.getppid() != parent) baseline::wrong(wrong);
    }
  }
};

// The same by number, with a fence for what was written before.
struct ask_parent_plain {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, unsigned* wrong) const {
    for (unsigned i = 0; i < calls; ++i) {
      if (os.syscall(SYS_getppid) != parent) baseline::wrong(wrong);
    }
  }
};

struct ask_and_time {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, u64* took, unsigned* wrong) const {
    baseline::time_each(took, calls, [&](unsigned) {
      if (os.getppid() != parent) baseline::wrong(wrong);
      return true;
    });
  }
};

// Reads `bytes` at 8 bytes times the last value, call after call, as a chain does. `into`: device memory for the bytes;
// null: private memory.
struct read_in_chain {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned bytes, unsigned calls, u64* into,
                                 unsigned* wrong) const {
    u64 own[1] = {};
    u64* const to = into != nullptr ? into : own;
    for (unsigned i = 0, at = 0; i < calls; ++i) {
      const bool whole = os.pread64(fd, to, bytes, static_cast<long>(8ul * at)) == static_cast<long>(bytes);
      if (!whole || to[0] != baseline::word_of(at)) return baseline::wrong(wrong);
      at = static_cast<unsigned>(to[0] % words_in_chain);
    }
  }
  static constexpr unsigned words_in_chain = 4096;
};

// --- Every scope, order and wait.

enum class order { strong, producer, consumer };
enum class wait { blocking, ticket, posted };

// All threads of all blocks begin each call together, so that calls of a grid stay in step.
GENESYS_KERNEL void meet(unsigned* met, unsigned turn, unsigned* wrong) {
  genesys::sync_block();
  if (genesys::blocks_in_grid() == 1) return;
  if (genesys::thread_rank() == 0) {
    const genesys::atomic<unsigned> arrived(*met);
    arrived.fetch_add(1);
    for (unsigned polls = 0; arrived.load() < turn * genesys::blocks_in_grid(); ++polls) {
      if (polls == baseline::polls_max) {
        arrived.fetch_or(1u << 31);  // ends the wait of the other blocks
        baseline::wrong(wrong);
      }
      genesys::pause();
    }
  }
  genesys::sync_block();
}

// Keeps for each call the longest time of a thread that gets the result, and of a thread that gets -EINPROGRESS.
template <class Scope, order o, wait w>
struct ask_on {
  GENESYS_KERNEL void operator()(genesys::os os, unsigned calls, long parent, u64* took, u64* others, unsigned* met,
                                 unsigned* wrong) const {
    const auto io = [&] {
      if constexpr (o == order::strong) {
        return os.on(Scope{});
      } else if constexpr (o == order::producer) {
        return os.on(Scope{}).relaxed(genesys::producer());
      } else {
        return os.on(Scope{}).relaxed(genesys::consumer());
      }
    }();
    const baseline::tick_length length;
    for (unsigned i = 0; i < calls; ++i) {
      meet(met, i + 1, wrong);
      const u64 begin = ticks();
      long returned = parent;
      if constexpr (w == wait::blocking) {
        returned = io.getppid();
      } else if constexpr (w == wait::ticket) {
        auto asked = io.ticket().getppid();
        returned = asked.wait();
      } else {
        io.posted().getppid();
      }
      const u64 mine = ticks() - begin;
      const bool other = o == order::producer && returned == -EINPROGRESS;
      genesys::atomic<u64>(other ? others[i] : took[i]).fetch_max(mine, std::memory_order_relaxed);
      if (returned != parent && !other) baseline::wrong(wrong);
    }
    if (genesys::block_rank() == 0 && genesys::thread_rank() == 0) {
      length.keep(took + calls);
      length.keep(others + calls);
    }
  }
};

// --- How lanes wait.

// Keeps for each call the longest time of a thread. `bytes`: the random bytes of getrandom, which take Linux a time in
// proportion; 0: getppid.
template <class Scope>
struct ask_in_manner {
  GENESYS_KERNEL void operator()(genesys::os os, measure::wait_mode how, unsigned calls, unsigned bytes, char* buffer,
                                 long expected, u64* took, unsigned* wrong) const {
    const baseline::tick_length length;
    measure::waiting_as(how, os, Scope{}, [&](const auto& io) {
      for (unsigned i = 0; i < calls; ++i) {
        genesys::sync_block();
        const u64 begin = ticks();
        const long returned = bytes == 0 ? io.getppid() : io.getrandom(buffer, bytes);
        const u64 mine = ticks() - begin;
        genesys::atomic<u64>(took[i]).fetch_max(mine, std::memory_order_relaxed);
        if (returned != expected) baseline::wrong(wrong);
      }
    });
    if (genesys::thread_rank() == 0) length.keep(took + calls);
  }
};

}  // namespace latency
