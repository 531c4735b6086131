// SPDX-License-Identifier: Apache-2.0
// The options of a runtime and its statistics: plain values, for host programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace genesys {

enum class device_kind { any, cpu, cuda };

// Which thread makes the calls (docs/performance.md compares them).
enum class executor_kind {
  any,      // the environment's GENESYS_EXECUTOR (threads, uring, direct); else threads
  threads,  // the worker that took the request makes the call
  uring,    // io_uring makes calls that would wait for a disk, the worker all others. Without io_uring: threads
  direct,   // kernels submit calls to Linux (docs/direct.md), and workers make the rest. Without such rings: uring
};

// What the host does while a run is attached and no kernel calls (docs/architecture.md, Threads and sleep).
enum class wakeup_kind {
  any,       // the environment's GENESYS_WAKEUP (quiet, balanced, eager); else balanced
  quiet,     // all threads sleep, and the next call wakes one by an interrupt: 100 to 300 us
  balanced,  // one thread looks for a millisecond, then it sleeps as in quiet
  eager,     // one thread looks all the time, and takes a processor core: some microseconds
};

// How lanes wait for completions if the kernel does not say it (os::waits, docs/semantics.md). by_scope: the way that
// measured best for each scope (docs/performance.md).
enum class wait_strategy { by_scope, back_off, spin };

// What a recording has of each call, beside its number, arguments, result and times.
struct recording_content {
  // How many bytes of the buffers that arguments point to; with 1 or more also strings, up to 255 bytes, and
  // structures. 0: none. At most 256.
  unsigned data_bytes = 32;
  bool paths = false;  // the paths of descriptors. Costs a call of the host for each descriptor
};

// The options of a runtime. Zero: the runtime chooses a value for this machine; describe() reports it. The constructor
// of runtime throws error(bad_option) for a value out of range.
struct options {
  device_kind device = device_kind::any;  // any: the environment's GENESYS_DEVICE (cpu, cuda); else CUDA if the machine
                                          // has a driver and a GPU, else CPU
  executor_kind executor = executor_kind::any;
  wakeup_kind wakeup = wakeup_kind::any;
  unsigned workers = 0;                   // threads that make calls while no call blocks; at most 512
  unsigned workers_max = 1024;            // all threads that make calls, also those that a call blocks
  unsigned queues = 0;                    // submission queues, at most 1,024; 0: as many as workers
  unsigned slots_per_queue = 1024;        // requests that a queue holds: a power of two from 64 to 1,048,576
  std::size_t arena_bytes = 64u << 20;    // for allocate_arena and run::copy, at most 64 TiB. Pinned at first use
  std::size_t bounce_bytes = 112u << 20;  // bounce buffers for staged arguments, 16 MiB to 64 GiB. Pinned on demand
  unsigned rings = 0;  // executor direct: shared rings, at most 16; each takes a kernel thread of Linux
  // SQEs of each shared ring, a power of two from 2 to 16,384: calls that Linux has not begun. If more lanes of a warp
  // than this call together, workers make these calls.
  unsigned ring_entries = 4096;
  unsigned stall_us = 100;  // after a call of this length the queues of its worker migrate to another worker
  // Coalescing: a worker takes the requests of a queue together, when the queue has `coalesce_calls` of them or the
  // first has waited `coalesce_us`. Either of them 0: at once. runtime::coalesce() changes both.
  unsigned coalesce_us = 0, coalesce_calls = 0;
  unsigned idle_us = 200;  // a worker sleeps after this time without work
  // The longest interval at which the monitor looks at queues of sleeping workers while a run is attached and no kernel
  // can wake the host by an interrupt. After many seconds without a call the interval is a two-thousandth of that time,
  // at most ten times this.
  unsigned monitor_us = 400;
  unsigned grid_calls_max = 64;  // calls of one grid in flight, a power of two from 2 to 4,096; more get -EAGAIN
  wait_strategy wait = wait_strategy::by_scope;
  unsigned parked_max = 65536;  // parked calls: those that wait for a descriptor or a time; more get -EAGAIN
  // Limits of the quarantine, in bytes and mappings: memory that kernels have unmapped and that stays out of use until
  // no run is in flight (docs/memory.md). Beyond them munmap gives -ENOMEM.
  std::uint64_t quarantine_bytes = std::uint64_t{4} << 30;
  unsigned quarantine_mappings = 4096;
  unsigned shutdown_timeout_ms = 2000;  // how long the destructor waits for kernels and calls
  // The monitor reports a call that takes longer than this on stderr, once. It also reports a drain() during which no
  // call has begun for this time. 0: no reports.
  unsigned stall_warn_ms = 10000;
  unsigned resident_threads_max = 32768;  // CPU device: threads of kernels that exist at a time
  // CPU device: the stack of each thread in bytes, 16 KiB to 4 MiB. Kernels with large local arrays need more than the
  // default. With large stacks fewer threads exist at a time. Builds with a sanitizer allocate four times as much.
  std::size_t stack_bytes = 64u << 10;
  // Which calls kernels may make (docs/security.md). `policy`: `all`, `io`, `strict`, `none`, or the path of a file
  // with rules; empty: the environment's GENESYS_POLICY, else `all`. `policy_rules`: more rules, one in each line.
  std::string policy = {};
  std::string policy_rules = {};
  // Limits; 0: none. A limit in the rules overrides the one here.
  unsigned descriptors_max = 0;        // descriptors that kernels have open; beyond it -EMFILE
  std::uint64_t mapped_bytes_max = 0;  // bytes that kernels have mapped; beyond it -ENOMEM
  std::uint64_t calls_per_second = 0;  // beyond it -EAGAIN
  std::uint64_t seed = 0;              // CPU device: decides the order of threads; 0: a random one
  // Records every call in this file (runtime::trace). `%p` stands for the number of the process, `%r` for the number of
  // the runtime in it, from 0. Empty: the environment's GENESYS_TRACE, else no recording.
  std::string trace = {};
  recording_content trace_content = {};
  // Whether other processes of the same user can look at the runtime, by a Unix socket: `genesys trace -p`, `genesys
  // metrics` (docs/trace.md). Kernels cannot use it.
  bool control = true;
  // While a runtime exists, SIGQUIT (Ctrl-\) prints report() to stderr, unless the program has its own handler.
  bool sigquit = true;
};

// Counts of what a runtime has done so far, from runtime::stats().
struct statistics {
  std::map<std::string, std::uint64_t> calls;   // completed by threads of the process: call name, count
  std::map<std::string, std::uint64_t> errors;  // of these, those that gave an error: call name, count
  std::map<std::string, std::uint64_t> bytes;   // bytes that they moved, where the result says it: call name, bytes
  std::uint64_t completed = 0;                  // the sum of `calls`, and direct_calls
  std::map<std::string, std::uint64_t> denied;  // calls that the policy denied: call name, count
  std::uint64_t posted = 0;                     // finished posted calls
  std::uint64_t posted_failed = 0;              // posted calls that gave an error
  std::uint64_t grid_calls_missed = 0;          // calls of grids that some blocks did not make
  std::uint64_t parked = 0;                     // calls that were parked, on descriptors and timers
  std::uint64_t queue_migrations = 0;           // queues that another worker got because a call took long
  std::uint64_t interrupts = 0;                 // times that a kernel woke the host, which slept
  std::uint64_t bundles = 0;                    // times that a worker took requests of a queue, one or more
  std::uint64_t uring_calls = 0;                // executor uring: calls that io_uring made
  std::uint64_t uring_submissions = 0;          // executor uring: io_uring_enter calls that submitted them
  std::uint64_t direct_calls = 0;               // executor direct: calls that kernels submitted themselves
  std::uint64_t malformed = 0;                  // requests that the host dropped because they were malformed
  unsigned workers = 0;                         // threads that make calls, now
  std::uint64_t pinned_bytes = 0;               // host memory that the runtime has pinned for itself, now
  std::uint64_t mapped_device_bytes = 0, mapped_host_bytes = 0;  // what kernels have mapped now
  std::uint64_t quarantined_bytes = 0;                           // what is in quarantine now
  std::uint64_t recorded = 0;                                    // calls that recordings hold (runtime::trace)
  std::uint64_t recording_dropped = 0;                           // calls that were to be recorded and are lost
  // Means over one call in seventeen, in microseconds.
  double queued_us_mean = 0;  // from publishing to taking, beyond the fastest request so far, in steps of 1 us
  double served_us_mean = 0;  // from taking to the completion
};

}  // namespace genesys
