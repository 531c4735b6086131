// SPDX-License-Identifier: Apache-2.0
// The loop of a worker: dequeue, execute, complete. The next request is dequeued before the last call is completed: a
// dequeue is an atomic exchange, which would wait until the completion's store reaches a line that the GPU polls.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <new>
#include <system_error>

#include "host/worker.h"
#include "target/profiler_ranges.h"

namespace genesys::detail {

using dequeued = submission_queue::dequeue_result;

namespace {

constexpr u32 dequeued_at_once = 32;  // requests from one queue before the next queue
constexpr u64 long_bytes = 16384;     // Linux copies them in some microseconds

// Of the exception that is being handled.
i64 errno_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return -ENOMEM;
  } catch (const std::system_error& caught) {
    return -caught.code().value();
  } catch (...) {
    return -EIO;
  }
}

}  // namespace

// S5. If the host lacks what it needs to make a call, that is the call's error. (These functions are inlined into each
// other, because each return after a system call is costly: see executor.cpp.)
[[gnu::always_inline]] inline result worker::execute(const request& call) {
  at_call_.begin(call);
  if (!all_.completions.is_sound(call)) return {result::kind::drop, 0, false, {}};
  if (all_.ending.load(std::memory_order_relaxed)) return {result::kind::done, -ECANCELED, false, {}};
  try {
    return all_.to_linux.execute(call, worker_ring_.get());
  } catch (...) {
    return {result::kind::done, errno_of_exception(), false, {}};
  }
}

// The executor has not made the call, because it could wait and calls are under way in this worker's ring. Submits
// those, and tries again if they have completed at once.
[[gnu::noinline]] result worker::execute_elsewhere(const request& call) {
  (void)serve_worker_ring();
  if (is_worker_ring_busy()) return {result::kind::elsewhere, 0, false, {}};
  return execute(call);
}

// Makes the call in this thread now, though it waits or without waiting.
[[gnu::noinline]] result worker::execute_unparked(const request& call, executor::not_ready then) {
  at_call_.begin(call);
  try {
    return all_.to_linux.execute(call, nullptr, then);
  } catch (...) {
    return {result::kind::done, errno_of_exception(), false, {}};
  }
}

// Whether Linux will probably copy so much that other requests of the queue would wait for long. What a receive gets is
// not known before: probably about as much as the last one. Calls with an address do not count: servers of long
// datagrams are slower if others steal behind them (docs/notes/027).
[[gnu::always_inline]] inline bool worker::takes_long(const request& call) const {
  switch (call.number) {
    case number::recvfrom:
      return call.args[4] == 0 && received_ >= long_bytes && call.args[2] >= long_bytes;
    case number::read:
    case number::write:
    case number::pread64:
    case number::pwrite64:
      return call.args[2] >= long_bytes;
    case number::sendto:
      return call.args[4] == 0 && call.args[2] >= long_bytes;
    default:
      return false;
  }
}

void worker::leave_queues(leave_for why) {
  for (const held_queue& each : mine_) each.from->leave(each.epoch, why);
}
void worker::come_back(leave_for why) {
  for (const held_queue& each : mine_) each.from->come_back(each.epoch, why);
}

// Serves one queue, at most `at_most` requests. `any`: there was one. `coalesced`: of how many calls a bundle is, or 0.
[[gnu::always_inline]] inline dequeued worker::serve_queue(held_queue& one, u32 at_most, u32 coalesced, bool& any) {
  request calls[2];
  dequeued status = one.from->dequeue(one.epoch, calls[0]);
  if (status == dequeued::taken && (one.owed == 0 || one.owed == coalesced))
    bundles_.store(bundles_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  u32 n = 1;
  const bool traced = all_.recorder.is_on(), profiled = all_.profiled;
  u64 taken = traced ? trace::ticks_now() : 0;
  const auto dequeue_next = [&] {
    status = n < at_most ? one.from->dequeue(one.epoch, calls[n % 2]) : dequeued::empty;
  };
  for (; status == dequeued::taken || status == dequeued::deferred; ++n) {
    any = true;
    if (status == dequeued::deferred) [[unlikely]] {  // a dependent, which the host holds or refuses
      dequeue_next();
      continue;
    }
    const request& call = calls[(n - 1) % 2];
    last_slot_ = call.completion_slot;
    times_ = clock_.dequeued(call, at_call_.begun() + 1);
    if (traced) [[unlikely]] {
      at_ = {.taken = taken, .started = trace::ticks_now(), .ended = 0, .completed = 0};
      recorded_at_ = &at_;
      all_.recorded.prefetch(call.completion_slot);
    }
    if (profiled) [[unlikely]]
      profiler::begin(call.number);
    const bool is_long = takes_long(call);
    if (is_long) leave_queues(leave_for::a_long_call);
    result returned = execute(call);
    if (returned.what == result::kind::elsewhere) [[unlikely]]
      returned = execute_elsewhere(call);
    if (is_long) come_back(leave_for::a_long_call);
    if (call.number == number::recvfrom && returned.what == result::kind::done)
      received_ = returned.value < 0 ? 0 : static_cast<u64>(returned.value);
    if (profiled) [[unlikely]]
      profiler::end();
    // Looks at the clock take as long as the rest of a record, so there are two a call: one look is for the end of this
    // call, its completion, which comes next, and the taking of the next request.
    if (traced) [[unlikely]]
      at_.ended = at_.completed = taken = trace::ticks_now();
    // If this thread may have to wait itself, it must not hold another request.
    const bool may_wait = returned.what == result::kind::park || returned.what == result::kind::elsewhere ||
                          (returned.what == result::kind::again && call.mode != wait_mode::blocking);
    if (may_wait) complete(call, returned);
    dequeue_next();
    if (!may_wait) complete(call, returned);
  }
  one.owed -= std::min(one.owed, n - 1);
  return status;
}

// One round over the queues that this worker holds. Returns whether there was a request.
bool worker::serve_queues() {
  const u64 coalescing = all_.coalescing.load(std::memory_order_relaxed);
  bool any = false;
  for (std::size_t i = 0; i < mine_.size();) {
    const u32 at_most = coalescing == 0 ? dequeued_at_once : mine_[i].bundle(coalescing);
    if (at_most == 0) {
      any = any || mine_[i].first_seen_ns != 0;
      ++i;
    } else if (serve_queue(mine_[i], at_most, static_cast<u32>(coalescing), any) == dequeued::lost) {
      mine_.erase(mine_.begin() + static_cast<std::ptrdiff_t>(i));  // another worker holds it now
    } else {
      ++i;
    }
  }
  if (any) at_call_.end();
  return any;
}

// Serves a request of a worker that is in a long call, and whose own queues wait meanwhile. For a worker that has
// nothing else to do. (It looks at no other queues: two workers that look at one slot delay its requests.)
bool worker::steal() {
  bool any = false;
  // Requests wait for others; or calls that may wait could not be made here.
  if (all_.coalescing.load(std::memory_order_relaxed) != 0 || is_worker_ring_busy()) return any;
  for (u32 i = 0; i < all_.memory.queues() && !any; ++i) {
    submission_queue& from = all_.queues[i];
    if (!from.is_left(leave_for::a_long_call)) continue;
    held_queue left{&from, from.epoch()};
    (void)serve_queue(left, 1, 0, any);
  }
  if (any) at_call_.end();
  return any;
}

// For a worker without queues of its own.
u32 worker::serve_left_queues() {
  if (all_.coalescing.load(std::memory_order_relaxed) != 0) return 0;  // requests wait for others
  const u64 before = at_call_.begun();
  bool any = false;
  for (u32 i = 0; i < all_.memory.queues(); ++i) {
    submission_queue& from = all_.queues[i];
    if (!from.is_left(leave_for::sleep) || !from.pending()) continue;
    held_queue each{&from, from.epoch()};
    (void)serve_queue(each, dequeued_at_once, 0, any);
  }
  if (any) at_call_.end();
  return static_cast<u32>(at_call_.begun() - before);
}

void worker::serve_own(submission_queue& from) {
  bool any = false;
  held_queue own{&from, from.epoch(), 1, 2};  // (as a part of a bundle, so that it does not count as one)
  (void)serve_queue(own, 1, 0, any);
  at_call_.end();
}

worker::first_left worker::serve_first_left() {
  request next;
  for (u32 i = 0; i < all_.memory.queues(); ++i) {
    submission_queue& from = all_.queues[i];
    if (!from.is_left(leave_for::sleep) || !from.pending(&next)) continue;
    if (!executor::never_waits(next) || all_.coalescing.load(std::memory_order_relaxed) != 0)
      return first_left::may_wait;
    serve_own(from);
    return first_left::served;
  }
  return first_left::none;
}

// Calls that were parked, and whose descriptor has become ready, or whose time to wait is over.
bool worker::serve_ready() {
  bool any = false;
  for (u32 n = 0; n < dequeued_at_once && !is_worker_ring_busy(); ++n) {
    const auto one = all_.ready.pop();
    if (!one) break;
    const parked_call& parked = one.mapped();
    any = true;
    const bool traced = all_.recorder.is_on();
    if (traced) [[unlikely]] {
      at_ = {.taken = 0, .started = trace::ticks_now(), .ended = 0, .completed = 0};
      recorded_at_ = &at_;
    }
    const bool gives_up = parked.gives_up && !all_.ending.load(std::memory_order_relaxed);
    const result returned =
        gives_up ? execute_unparked(parked.call, executor::not_ready::give_up) : execute(parked.call);
    if (traced) [[unlikely]]
      at_.ended = trace::ticks_now();
    if (returned.what == result::kind::done && returned.value >= static_cast<i64>(long_bytes) && !parked.gives_up)
      all_.parked.made(parked.wait);
    by_ = trace::made_by::later;
    before_ = &parked;
    complete(parked.call, returned);
    before_ = nullptr;
    by_ = trace::made_by::worker;
  }
  at_call_.end();
  return any;
}

// Submits the calls of this round to the worker ring, and completes those that have ended in it.
bool worker::serve_worker_ring() {
  if (!worker_ring_canceled_ && all_.ending.load(std::memory_order_relaxed)) {
    worker_ring_canceled_ = worker_ring_->cancel();
  }
  if (worker_ring_->has_new()) {
    at_call_.begin_other();  // so that the monitor sees it if Linux takes long
    worker_ring_->submit();
    at_call_.end();
  }
  return worker_ring_->reap([this](const request& call, i64 value, u64 begun_ticks) {
    const trace::call_times at{.taken = 0, .started = begun_ticks, .ended = trace::ticks_now(), .completed = 0};
    all_.completions.complete(call, {.value = value, .by = trace::made_by::worker_ring, .at = &at}, completed_);
  });
}

// Another thread completes the call, or this one does later: then `at_` is of another call.
[[gnu::noinline]] void worker::note_taken(const request& call, const result& returned) {
  const bool is_over =
      returned.what == result::kind::drop || (returned.what == result::kind::again && call.mode == wait_mode::blocking);
  if (!is_over && call.mode != wait_mode::posted && recorded_at_ != nullptr && at_.taken != 0)
    all_.recorder.note_taken(call.completion_slot, at_.taken);
}

// The call has ended on this worker, with what the executor returned.
[[gnu::always_inline]] inline void worker::finish(const request& call, const result& returned, bool again) noexcept {
  const completion_extra* const extra = returned.has_extra || again ? &returned.extra : nullptr;
  all_.completions.complete(call,
                            {.value = returned.value,
                             .again = again,
                             .inline_data = returned.inline_data,
                             .inline_rest = returned.inline_rest,
                             .extra = extra,
                             .times = times_,
                             .by = by_,
                             .at = recorded_at_},
                            completed_);
}

// S6, or gives the call to whoever completes it later.
[[gnu::always_inline]] inline void worker::complete(const request& call, const result& returned) noexcept {
  if (returned.what != result::kind::done && all_.recorder.is_on()) [[unlikely]]
    note_taken(call, returned);
  switch (returned.what) {
    case result::kind::done:
      finish(call, returned);
      break;
    case result::kind::again:
      if (call.mode == wait_mode::blocking || !complete_later(call, returned)) finish(call, returned, true);
      break;
    case result::kind::drop:
      all_.completions.complete(call, {.malformed = true}, completed_);
      break;
    case result::kind::park:
      park(call, returned);
      break;
    case result::kind::begun:
      looks_for_ready_soon = false;
      break;
    case result::kind::elsewhere:
      (void)pass_on(call);
      break;
  }
  times_ = {};
  recorded_at_ = nullptr;
}

}  // namespace genesys::detail
