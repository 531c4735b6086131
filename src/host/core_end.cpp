// SPDX-License-Identifier: Apache-2.0
// The end of a runtime, phase by phase. Part of core; called once, by the thread that ends the runtime.
#include <chrono>
#include <cstdio>
#include <thread>

#include "host/core.h"
#include "host/sigquit.h"
#include "trace/clock.h"

namespace genesys::detail {

// The order matters. Calls are canceled before the wait for kernels, because a kernel may wait for a call. Workers stop
// after it, because kernels make calls until they end. What a kernel may still use is never freed: where a kernel or a
// call does not end in time, the memory stays until the process ends.
void core::end() {
  const u64 deadline = now_ns() + u64{all.chosen.shutdown_timeout_ms} * 1'000'000;
  refuse_runs();
  cancel_calls();
  const progress kernels_are = wait_for_kernels(deadline);
  if (kernels_are != progress::ended) leave_to_kernels();
  const u32 left_behind = stop_serving(deadline, kernels_are);
  complete_unserved();
  control_.reset();
  recordings.stop();
  if (left_behind != 0) leave_memory();
  report_end(kernels_are, left_behind);
  all.maps.end();
}

// No new run, and no report on SIGQUIT.
void core::refuse_runs() {
  if (all.chosen.sigquit) forget_on_sigquit(this);
  const std::lock_guard hold(lock_);
  ended_ = true;
}

// From now on every call completes with -ECANCELED. Wakes all workers, to complete the calls in the queues.
void core::cancel_calls() {
  all.ending.store(true, std::memory_order_release);
  all.parked.cancel();
  all.dependents.cancel();
  if (monitor_) monitor_->run_attached();
}

// Waits until all kernels have ended, and all posted calls in shared rings, or until the deadline.
progress core::wait_for_kernels(u64 deadline) {
  for (;;) {
    if (all.direct) all.direct->end();
    const progress now = kernels();
    const bool posted_left = now == progress::ended && all.direct && all.direct->under_way() != 0;
    if ((now != progress::under_way && !posted_left) || now_ns() >= deadline) return now;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

// A kernel may still run: a lane that waits, or that calls later, gives up by itself with -ECANCELED.
void core::leave_to_kernels() {
  // (It fails only if the GPU has failed, and then no kernel reads the word.)
  (void)all.on->memory_mapper().store(all.memory.where().ended, 1);
  leave_memory();
}

void core::leave_memory() {
  all.memory.leak();
  if (all.direct) all.direct->leak();
  all.maps.leak();
}

// Stops the workers and the monitor. Returns how many calls Linux has not finished.
u32 core::stop_serving(u64 deadline, progress kernels_are) {
  all.stopping.store(true, std::memory_order_seq_cst);  // pairs with interrupt_thread::sleep
  u32 left_behind = monitor_ ? monitor_->stop(deadline) : 0;
  if (all.direct && kernels_are == progress::ended) {
    left_behind += all.direct->under_way();
    const std::lock_guard hold(lock_);
    for (run_state* one : runs_) {
      const std::lock_guard alone(one->looking);
      if (!one->drained) all.in_flight.add_posted(all.direct->posted_since(one->where.run));
    }
  }
  return left_behind;
}

// E5: no worker serves any more. Cancels what is still in the queues, as behind a call that does not come back from
// Linux, and calls that became ready meanwhile. A kernel that still runs may go on calling, so this takes no more
// requests of a queue than fit in it.
void core::complete_unserved() {
  request unserved;
  const u32 at_most = u32{1} << all.memory.where().slots_log2;
  for (u32 s = 0; s < all.memory.queues(); ++s) {
    submission_queue& from = all.queues[s];
    const u32 epoch = from.migrate();  // a worker that comes back later dequeues nothing more
    for (u32 n = 0; n < at_most && from.pending(); ++n) {
      if (from.dequeue(epoch, unserved) != submission_queue::dequeue_result::taken) continue;  // that worker was faster
      const bool sound = all.completions.is_sound(unserved);
      all.completions.complete(unserved, {.value = -ECANCELED, .malformed = !sound});
    }
  }
  while (const auto one = all.ready.pop()) all.completions.complete(one.mapped().call, {.value = -ECANCELED});
}

void core::report_end(progress kernels_are, u32 left_behind) const {
  if (kernels_are == progress::under_way) {
    std::fprintf(
        stderr,
        "genesys: a kernel still runs after %u ms; %zu MiB that it uses are left to it, and its calls get ECANCELED\n",
        all.chosen.shutdown_timeout_ms, all.memory.pinned_bytes() >> 20);
  } else if (kernels_are == progress::unknown) {
    std::fprintf(stderr, "genesys: a kernel failed, or its stream is gone, and may still run; %zu MiB are left to it\n",
                 all.memory.pinned_bytes() >> 20);
  }
  if (const u64 canceled = all.in_flight.posted_canceled(); canceled != 0) {
    std::fprintf(stderr, "genesys: %llu posted calls were not made: the runtime ended before; drain() waits for them\n",
                 static_cast<unsigned long long>(canceled));
  }
  if (left_behind != 0)
    std::fprintf(stderr, "genesys: %u calls have not come back from Linux, and are left behind\n", left_behind);
}

}  // namespace genesys::detail
