// SPDX-License-Identifier: Apache-2.0
// What a worker does with a call that has to wait: park it, pass it to another worker, or wait itself. While it waits,
// the monitor lets its queues migrate.
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <thread>

#include "execute/would_block.h"
#include "host/worker.h"
#include "trace/clock.h"

namespace genesys::detail {

// The call waits for a descriptor (internal_wait), or for a time.
void worker::park(const request& call, const result& returned) {
  // Many threads may want the parking lot's lock, but each holds it briefly: that is no reason for queues to migrate.
  at_call_.end();
  if (call.number == internal_wait) {
    if (!all_.parked.park_descriptor(call) && !pass_on(call)) wait_here(call);
  } else if (!all_.parked.park_sleep(call, returned.extra.first) && !pass_on(call)) {
    sleep_here(call, returned.extra.first);
  }
}

// The call could wait, and calls are under way in this worker's ring: a worker without such calls makes it. False: this
// worker has none either.
bool worker::pass_on(const request& call) noexcept {
  if (!is_worker_ring_busy()) return false;
  try {
    all_.ready.push(call);
  } catch (const std::bad_alloc&) {
    all_.completions.complete(call, {.value = -ENOMEM}, completed_);
  }
  return true;
}

// A call, not blocking, whose descriptor is not ready: the host makes it again when the descriptor is. If it cannot be
// parked, this thread makes it and waits. False: the lane of a parkable one has to wait for the descriptor, as if the
// call were blocking.
bool worker::complete_later(const request& call, const result& returned) {
  at_call_.end();  // as in park()
  const auto what = static_cast<readiness>(returned.extra.second);
  if (all_.parked.park_call(call, static_cast<int>(returned.value), what, before_)) return true;
  if (is_waited_at_once(call.mode)) return false;
  if (pass_on(call)) return true;
  const result made = execute_unparked(call, executor::not_ready::wait);
  all_.completions.complete(call,
                            {.value = made.value,
                             .inline_data = made.inline_data,
                             .inline_rest = made.inline_rest,
                             .extra = made.has_extra ? &made.extra : nullptr},
                            completed_);
  return true;
}

void worker::wait_here(const request& call) {
  at_call_.begin(call);
  pollfd looked{static_cast<int>(call.args[0]), static_cast<short>(call.args[1] & (POLLIN | POLLOUT)), 0};
  const u64 limit_ns = wait_limit_ns(looked.fd, (looked.events & POLLIN) != 0);
  const u64 end = limit_ns != 0 ? now_ns() + limit_ns : ~u64{0};
  for (u64 now = now_ns();; now = now_ns()) {
    const int step_ms = end > now ? static_cast<int>(std::min<u64>((end - now) / 1'000'000 + 1, 50)) : 0;
    const int returned = ::poll(&looked, 1, step_ms);
    if (returned > 0) break;
    if (returned < 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));  // not because of the descriptor
    const bool is_canceled = all_.ending.load(std::memory_order_relaxed);
    if (is_canceled || end <= now) {
      all_.completions.complete(call, {.value = is_canceled ? -ECANCELED : -EAGAIN}, completed_);
      return;
    }
  }
  all_.completions.complete(call, {.value = 0}, completed_);
}

void worker::sleep_here(const request& call, u64 length_ns) {
  at_call_.begin(call);
  const u64 end = now_ns() + length_ns;
  for (u64 now = now_ns(); now < end; now = now_ns()) {
    if (all_.ending.load(std::memory_order_relaxed)) {
      all_.completions.complete(call, {.value = -ECANCELED}, completed_);
      return;
    }
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<u64>(end - now, 50'000'000)));
  }
  all_.completions.complete(call, {.value = 0}, completed_);
}

}  // namespace genesys::detail
