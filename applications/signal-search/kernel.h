// SPDX-License-Identifier: Apache-2.0
// signal-search's kernel: each block takes one unit of the file after another, reads it and searches it. A unit that
// has the text is told to the host at once, by a signal with the unit's number; or noted, for a host that waits.
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstdint>

#include "genesys/genesys.h"

namespace search {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using order = std::memory_order;

constexpr u32 unit_bytes_max = 32 * 1024;
constexpr u32 text_bytes_max = 256;

struct task {
  int fd;
  u32 unit_bytes, units, text_bytes, mismatches;
  int process, signal, user;  // of the process that gets the signal; signal 0: none
  u32* next;                  // the next unit to search
  u32* found;                 // one for each unit: 1 if it has the text
  int* error;                 // an errno, or 0
  unsigned char text[text_bytes_max];
};

struct workspace {
  alignas(16) unsigned char data[unit_bytes_max];
  unsigned char text[text_bytes_max];
  u32 unit;
};

// Whether the text begins at one of this thread's bytes, with as many other bytes in it as may be.
GENESYS_KERNEL bool has_text(const workspace& in, u32 filled, u32 length, u32 mismatches) {
  for (u32 at = genesys::thread_rank(); at + length <= filled; at += genesys::threads_in_block()) {
    u32 other = 0;
    for (u32 i = 0; i < length && other <= mismatches; ++i) other += in.data[at + i] != in.text[i];
    if (other <= mismatches) return true;
  }
  return false;
}

// Queues a signal with the unit's number. Linux holds a limited number of them (RLIMIT_SIGPENDING). One thread.
GENESYS_KERNEL long send(const genesys::os& os, const task& work, u32 unit) {
  siginfo_t info{};
  info.si_signo = work.signal;
  info.si_code = SI_QUEUE;
  info.si_pid = work.process;
  info.si_uid = static_cast<uid_t>(work.user);
  info.si_value.sival_int = static_cast<int>(unit);
  for (;;) {
    const long result = os.rt_sigqueueinfo(work.process, work.signal, &info);
    if (result != -EAGAIN) return result;
    genesys::pause(100'000);
  }
}

// Any number of blocks, any number of threads in each.
struct search_units {
  GENESYS_KERNEL void operator()(genesys::os os, task work) const {
    workspace& space = genesys::shared<workspace>();
    const auto io = os.on(genesys::block());
    const bool first = genesys::thread_rank() == 0;
    for (u32 i = genesys::thread_rank(); i < work.text_bytes; i += genesys::threads_in_block())
      space.text[i] = work.text[i];
    for (;;) {
      genesys::sync_block();
      if (first) space.unit = genesys::atomic<u32>(*work.next).fetch_add(1, order::relaxed);
      genesys::sync_block();
      const u32 unit = space.unit;
      if (unit >= work.units) return;
      const long bytes =
          io.pread64(work.fd, space.data, work.unit_bytes, static_cast<long>(u64{unit} * work.unit_bytes));
      long wrong = bytes < 0 ? bytes : 0;
      const bool found = bytes > 0 && has_text(space, static_cast<u32>(bytes), work.text_bytes, work.mismatches);
      if (genesys::sync_block_count(found) > 0 && first) {
        if (work.signal != 0) wrong = send(os, work, unit);
        work.found[unit] = wrong == 0 ? 1 : 0;  // the host waits for as many signals
      }
      if (first && wrong < 0) genesys::atomic<int>(*work.error).store(static_cast<int>(-wrong), order::relaxed);
    }
  }
};

}  // namespace search
