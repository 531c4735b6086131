// SPDX-License-Identifier: Apache-2.0
// How a runtime is set up, and what it reports of itself: plain values, for host programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace genesys {

enum class device_kind { any, cpu, cuda };

// Who makes the calls (docs/performance.md tells which is best for what).
enum class executor_kind {
  any,      // the environment's GENESYS_EXECUTOR (threads, uring, direct); else threads
  threads,  // the worker that took the request
  uring,    // where the call would wait for a disk, io_uring; else the worker. Without io_uring: threads
  direct,   // kernels submit to Linux themselves (docs/direct.md); what they cannot: the worker. Else as uring
};

// How kernels wait for answers unless they say it themselves (os::waits, docs/semantics.md). by_scope: as measured to
// be best for a thread, a warp, a block, a grid (docs/performance.md).
enum class wait_strategy { by_scope, back_off, spin };

// How a runtime is set up. Zero means: chosen for this machine. describe() tells what was chosen.
struct options {
  device_kind device =
      device_kind::any;  // any: the environment's GENESYS_DEVICE (cpu, cuda); else CUDA if it is there, else CPU
  executor_kind executor = executor_kind::any;
  unsigned workers = 0;                   // threads that make calls, as long as none of them is held up
  unsigned workers_max = 1024;            // threads in all, with those held up in calls that block
  unsigned queues = 0;                    // queues of requests; as many as workers
  unsigned slots_per_queue = 1024;        // requests that a queue holds, a power of two, at least 64
  std::size_t arena_bytes = 64u << 20;    // memory for allocate_arena and run::copy
  std::size_t bounce_bytes = 112u << 20;  // memory through which staged arguments pass, at least 16 MiB
  unsigned rings = 0;  // executor direct: rings of io_uring that kernels share, at most 16, a thread of Linux each
  // Entries of each, a power of two from 2 to 16,384: calls that Linux has not begun. (If more lanes of a warp than
  // that call together, threads make these calls.)
  unsigned ring_entries = 4096;
  unsigned stall_us = 100;  // a call that takes longer is left to its worker, and its queue given to another
  // Coalescing: the requests of a queue are taken together, when so many are there or the first has waited so long.
  // 0: at once. runtime::coalesce() changes it.
  unsigned coalesce_us = 0, coalesce_calls = 0;
  unsigned idle_us = 200;  // a worker without work sleeps after this
  // How often, at least, sleeping queues are looked at while a run is attached; but after many seconds without a call
  // so seldom that one may wait a two-thousandth of that time, or ten times this.
  unsigned monitor_us = 400;
  unsigned grid_calls_max = 64;  // calls of one grid under way at a time, a power of two; more get -EAGAIN
  wait_strategy wait = wait_strategy::by_scope;
  unsigned parked_max = 65536;  // calls that wait for descriptors or time; more get -EAGAIN
  // What kernels have unmapped, but cannot be let go before they end (docs/memory.md): bytes, mappings. Past them
  // munmap gives -ENOMEM.
  std::uint64_t quarantine_bytes = std::uint64_t{4} << 30;
  unsigned quarantine_mappings = 4096;
  unsigned shutdown_timeout_ms = 2000;  // how long the end waits for kernels and calls
  // A call that takes longer is named on stderr, once; so is a drain() that waits as long while no call begins. 0: off.
  unsigned stall_warn_ms = 10000;
  unsigned resident_threads_max = 32768;  // CPU device: threads that exist at a time
  // CPU device: the stack of each thread, in bytes, from 16 KiB to 4 MiB. A kernel with large local arrays needs more
  // than the default; with large stacks fewer threads exist at a time. A sanitizer's build takes four times as much.
  std::size_t stack_bytes = 64u << 10;
  // What kernels may ask for (docs/security.md): `all`, `io`, `strict`, `none`, or a file with rules; empty: the
  // environment's GENESYS_POLICY, else all. And rules on top of it, a line each.
  std::string policy = {};
  std::string policy_rules = {};
  // Limits; 0: none. The rules may have them, too, and then theirs hold.
  unsigned descriptors_max = 0;        // that kernels have open; beyond it -EMFILE
  std::uint64_t mapped_bytes_max = 0;  // that kernels have mapped; beyond it -ENOMEM
  std::uint64_t calls_per_second = 0;  // beyond it -EAGAIN
  std::uint64_t seed = 0;              // CPU device: the order of threads; 0: drawn
  // While a runtime exists, SIGQUIT (Ctrl-\) prints report() to stderr, unless the program has a handler of its own.
  bool sigquit = true;
};

// What a runtime has done so far.
struct statistics {
  std::map<std::string, std::uint64_t> calls;   // completed by threads of the process, by name
  std::uint64_t completed = 0;                  // these, and direct_calls
  std::map<std::string, std::uint64_t> denied;  // by the policy, by name
  std::uint64_t posted = 0;                     // posted calls that are finished
  std::uint64_t posted_failed = 0;              // those that gave an error
  std::uint64_t grid_calls_missed = 0;          // calls of grids that not all blocks made
  std::uint64_t parked = 0;                     // waits on descriptors and timers, all so far
  std::uint64_t queue_migrations = 0;           // queues given to another worker because a call took long
  std::uint64_t bundles = 0;                    // times that requests of a queue were taken, one or several at once
  std::uint64_t uring_calls = 0;                // executor uring: calls that were given to io_uring,
  std::uint64_t uring_submissions = 0;          // and in how many submissions
  std::uint64_t direct_calls = 0;               // executor direct: calls that kernels submitted themselves
  std::uint64_t malformed = 0;                  // requests that made no sense and were dropped
  unsigned workers = 0;                         // threads now
  std::uint64_t mapped_device_bytes = 0, mapped_host_bytes = 0;  // what kernels have mapped, as it is now
  std::uint64_t quarantined_bytes = 0;                           // and unmapped, but could not be let go yet
  // Of one call in seventeen.
  double queued_us_mean = 0;  // from publishing to being picked up, over what is measurable (steps of 1 us)
  double served_us_mean = 0;  // from being picked up to the answer
};

}  // namespace genesys
