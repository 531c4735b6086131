// SPDX-License-Identifier: Apache-2.0
#include "host/worker.h"

#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "host/serving_thread.h"
#include "policy/confine.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr u32 taken_at_once = 32;  // requests from one shard before the next one has its turn
// Of how long calls take: looking at the clock costs, too. Prime, so that callers' loops do not fall into step.
constexpr u64 calls_to_a_sample = 17;
// Between two rounds that found nothing, in pauses of the processor: each look at an empty slot takes the line away
// from the GPU that is about to write it. (With 3, 264 lanes made 15 M calls a second, with 40 they made 24; from 80
// on a single caller notices.)
constexpr u32 polls_apart = 40;

void add(std::atomic<u64>& counter, u64 more) {  // one writer
  counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

// Each shard is there once: there is room for all of them.
void merge(std::vector<held_queue>& into, const std::vector<held_queue>& more) {
  for (const held_queue& one : more) {
    const auto same = [&](const held_queue& held) { return held.from == one.from; };
    const auto found = std::find_if(into.begin(), into.end(), same);
    if (found == into.end()) {
      into.push_back(one);
    } else {
      *found = one;  // the older epoch is over
    }
  }
}

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

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void worker::start(std::shared_ptr<void> keep_alive) {
  given_.reserve(all_.memory.queues());
  std::exception_ptr failed;
  bool known = false;
  thread_ = serving_thread("genesys-worker", [this, alive = std::move(keep_alive), &failed, &known]() mutable {
    std::vector<held_queue> mine;
    const bool serves = prepare(mine, failed);
    {
      const std::lock_guard hold(lock_);
      known = true;
      wakeup_.notify_all();
    }
    if (serves) run(std::move(mine));
    left_.store(true, std::memory_order_release);  // pairs with has_left
    alive.reset();
  });
  {
    std::unique_lock hold(lock_);
    wakeup_.wait(hold, [&] { return known; });
  }
  if (!failed) return;
  thread_.join();
  std::rethrow_exception(failed);
}

// The thread's own part of start(). Whether it can serve.
bool worker::prepare(std::vector<held_queue>& mine, std::exception_ptr& failed) {
  try {
    if (all_.chosen.executor == executor_kind::uring) worker_ring_ = std::make_unique<worker_ring>(all_.rules);
    all_.on->enter_serving_thread();
    confine_this_thread(all_.rules, worker_ring_ != nullptr ? ring_access::enters
                                    : all_.direct           ? ring_access::grants_files
                                                            : ring_access::none);
    mine.reserve(all_.memory.queues());
    all_.in_flight.count_alone();  // last: a worker that cannot serve takes no place
    return true;
  } catch (...) {
    failed = std::current_exception();
    return false;
  }
}

void worker::give(const std::vector<held_queue>& more) {
  const std::lock_guard hold(lock_);
  merge(given_, more);
  has_given_.store(true, std::memory_order_release);  // pairs with take_over
  woken_ = true;
  wakeup_.notify_one();
  if (worker_ring_) worker_ring_->wake();
}

void worker::wake() {
  const std::lock_guard hold(lock_);
  woken_ = true;
  wakeup_.notify_one();
  if (worker_ring_) worker_ring_->wake();
}

void worker::take_over(std::vector<held_queue>& mine) {
  const std::lock_guard hold(lock_);
  merge(mine, given_);
  given_.clear();
  has_given_.store(false, std::memory_order_relaxed);
}

void worker::run(std::vector<held_queue> mine) {
  const bool crowded = std::thread::hardware_concurrency() < 4;
  u64 idle_since = now_ns();
  for (u32 rounds = 0;; ++rounds) {
    if (has_given_.load(std::memory_order_acquire)) take_over(mine);  // pairs with give
    looks_for_ready_soon = !is_worker_ring_busy();
    bool served = looks_for_ready_soon && all_.ready.any() && serve_ready();
    served = serve_queues(mine) || served;
    if (is_worker_ring_busy()) served = serve_worker_ring() || served;
    if (served) {
      idle_since = 0;
      continue;
    }
    if (!is_worker_ring_busy() && all_.stopping.load(std::memory_order_acquire)) return;
    if (idle_since == 0) {
      idle_since = now_ns();
    } else if (rounds % 64 == 0) {
      const u64 now = now_ns();
      const bool idle = now - idle_since > u64{all_.chosen.idle_us} * 1000 &&
                        now > all_.awake_until_ns.load(std::memory_order_relaxed);
      if ((idle || mine.empty()) && sleep(mine)) idle_since = 0;
      if (crowded) ::sched_yield();  // the kernel's own threads may need this core
    }
    for (u32 i = 0; i < polls_apart; ++i) relax();
  }
}

// S5. What the host lacks to make a call is the call's own error. (Part of its callers: each return after a system call
// is costly, see executor.cpp.)
[[gnu::always_inline]] inline result worker::execute(const request& call, bool fresh) {
  note_begin(call);
  if (fresh && calls_begun_ % calls_to_a_sample == 1 && !is_dependent(call)) begin_sample(call);  // has no time
  if (!all_.completions.is_sound(call)) return {result::kind::drop, 0, false, {}};
  if (all_.ending.load(std::memory_order_relaxed)) return {result::kind::done, -ECANCELED, false, {}};
  try {
    return all_.to_linux.execute(call, worker_ring_.get());
  } catch (...) {
    return {result::kind::done, errno_of_exception(), false, {}};
  }
}

// GENESYS (ISCA 2018), V.B: how many requests are to be taken together; 0: there are none, or they are left to become
// more.
u32 worker::bundle_of(held_queue& one, u64 coalescing) {
  const auto calls = static_cast<u32>(coalescing);
  if (one.owed != 0) return one.owed;
  if (!one.from->pending()) {
    one.first_seen_ns = 0;
    one.from->repair();
    return one.from->epoch() == one.epoch ? 0 : calls;  // take() says that the shard is lost
  }
  if (one.from->has(calls)) {
    one.owed = calls;
  } else {
    const u64 now = now_ns();
    if (one.first_seen_ns == 0) one.first_seen_ns = now;
    if (now - one.first_seen_ns < (coalescing >> 32) * 1000) return 0;
  }
  one.first_seen_ns = 0;
  return calls;
}

// One round over the shards that it holds. Whether there was anything. The next request is taken before the last one is
// answered: taking is an atomic exchange, which would wait for the answer's store to reach a line that the GPU polls.
bool worker::serve_queues(std::vector<held_queue>& mine) {
  const u64 coalescing = all_.coalescing.load(std::memory_order_relaxed);
  bool any = false;
  for (std::size_t i = 0; i < mine.size();) {
    const u32 at_most = coalescing == 0 ? taken_at_once : bundle_of(mine[i], coalescing);
    if (at_most == 0) {
      any = any || mine[i].first_seen_ns != 0;
      ++i;
      continue;
    }
    request calls[2];
    auto outcome = mine[i].from->dequeue(mine[i].epoch, calls[0]);
    if (outcome == submission_queue::dequeue_result::taken &&
        (mine[i].owed == 0 || mine[i].owed == static_cast<u32>(coalescing)))
      add(counters_.bundles, 1);
    u32 n = 1;
    for (; outcome == submission_queue::dequeue_result::taken || outcome == submission_queue::dequeue_result::deferred;
         ++n) {
      any = true;
      if (outcome == submission_queue::dequeue_result::deferred) [[unlikely]] {
        outcome =
            n < at_most ? mine[i].from->dequeue(mine[i].epoch, calls[n % 2]) : submission_queue::dequeue_result::empty;
        continue;
      }
      const request& call = calls[(n - 1) % 2];
      result returned = execute(call, true);
      if (returned.what == result::kind::elsewhere) [[unlikely]] {
        (void)serve_worker_ring();  // what was there at once has ended then
        if (!is_worker_ring_busy()) returned = execute(call, false);
      }
      // Where this thread may have to wait itself, nothing else may be in our hands.
      const bool may_wait = returned.what == result::kind::park || returned.what == result::kind::elsewhere ||
                            (returned.what == result::kind::again && call.mode != wait_mode::blocking);
      if (may_wait) complete(call, returned);
      outcome =
          n < at_most ? mine[i].from->dequeue(mine[i].epoch, calls[n % 2]) : submission_queue::dequeue_result::empty;
      if (!may_wait) complete(call, returned);
    }
    mine[i].owed -= std::min(mine[i].owed, n - 1);
    if (outcome == submission_queue::dequeue_result::lost) {
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(i));  // another has it now
    } else {
      ++i;
    }
  }
  if (any) at_call_.store(0, std::memory_order_relaxed);
  return any;
}

// Calls whose descriptor has become ready.
bool worker::serve_ready() {
  request call;
  bool any = false;
  for (u32 n = 0; n < taken_at_once && !is_worker_ring_busy() && all_.ready.pop(call); ++n) {
    any = true;
    complete(call, execute(call, false));
  }
  at_call_.store(0, std::memory_order_relaxed);
  return any;
}

// What was taken in this round is one submission; and what has ended in the ring is answered.
bool worker::serve_worker_ring() {
  if (!worker_ring_canceled_ && all_.ending.load(std::memory_order_relaxed)) {
    worker_ring_->cancel();
    worker_ring_canceled_ = true;
  }
  if (worker_ring_->has_new()) {
    at_call_.store(++calls_begun_, std::memory_order_release);  // so that it is seen if Linux takes long for it
    worker_ring_->submit();
    at_call_.store(0, std::memory_order_relaxed);
  }
  return worker_ring_->reap([this](const request& call, i64 value) {
    all_.completions.complete(call, value);
    count(call);
  });
}

// This worker has others to see to, and the call could wait: the next one that has not makes it. False: there are no
// others.
bool worker::pass_on(const request& call) noexcept {
  if (!is_worker_ring_busy()) return false;
  try {
    all_.ready.push(call);
  } catch (const std::bad_alloc&) {
    all_.completions.complete(call, -ENOMEM);
  }
  return true;
}

void worker::count(const request& call) { add(counters_.calls[std::min(call.number, counted_numbers - 1)], 1); }

// S6, or whoever else shall answer later.
void worker::complete(const request& call, const result& returned) noexcept {
  switch (returned.what) {
    case result::kind::done:
      all_.completions.complete(call, returned.value, false, returned.has_extra ? &returned.extra : nullptr);
      break;
    case result::kind::again:
      if (call.mode == wait_mode::blocking) {
        all_.completions.complete(call, returned.value, true, &returned.extra);
      } else {
        complete_later(call, returned);
      }
      break;
    case result::kind::drop:
      add(counters_.malformed, 1);
      all_.completions.end_in_flight(call);
      break;
    case result::kind::park:
      // Many may want the lot's lock at once, but nobody has it for long: no reason to take our shards away.
      at_call_.store(0, std::memory_order_relaxed);
      if (call.number == internal_wait) {
        if (!all_.parked.park_descriptor(call) && !pass_on(call)) wait_here(call);
      } else if (!all_.parked.park_sleep(call, returned.extra.first) && !pass_on(call)) {
        sleep_here(call, returned.extra.first);
      }
      break;
    case result::kind::begun:
      looks_for_ready_soon = false;
      break;
    case result::kind::elsewhere:
      (void)pass_on(call);
      break;
  }
  const u64 began = std::exchange(sample_began_ns_, 0);
  if (returned.what == result::kind::again || returned.what == result::kind::begun ||
      returned.what == result::kind::elsewhere || call.number >= internal_resolve)
    return;
  if (began != 0) {
    add(counters_.served_ns, now_ns() - began);
    add(counters_.served_calls, 1);
  }
  count(call);
}

// The caller does not wait, so it cannot call anew: that is done for it when the descriptor is ready. Where the call
// cannot be parked, this thread makes it as it is, and its shards go to another.
void worker::complete_later(const request& call, const result& returned) {
  if (all_.parked.park_call(call, static_cast<int>(returned.value), static_cast<readiness>(returned.extra.second)))
    return;
  if (pass_on(call)) return;
  result made;
  try {
    made = all_.to_linux.execute(call, nullptr, true);
  } catch (...) {
    made.value = errno_of_exception();
  }
  count(call);
  all_.completions.complete(call, made.value, false, made.has_extra ? &made.extra : nullptr);
}

// It cannot be parked: this thread waits, and its shards go to another.
void worker::wait_here(const request& call) {
  note_begin(call);
  pollfd looked{static_cast<int>(call.args[0]), static_cast<short>(call.args[1] & (POLLIN | POLLOUT)), 0};
  for (int returned; (returned = ::poll(&looked, 1, 50)) <= 0;) {
    if (returned < 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));  // it is none of the descriptor's
    if (all_.ending.load(std::memory_order_relaxed)) {
      all_.completions.complete(call, -ECANCELED);
      return;
    }
  }
  all_.completions.complete(call, 0);
}

void worker::sleep_here(const request& call, u64 length_ns) {
  note_begin(call);
  const u64 end = now_ns() + length_ns;
  for (u64 now = now_ns(); now < end; now = now_ns()) {
    if (all_.ending.load(std::memory_order_relaxed)) {
      all_.completions.complete(call, -ECANCELED);
      return;
    }
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<u64>(end - now, 50'000'000)));
  }
  all_.completions.complete(call, 0);
}

// Sleeps until the watcher rings. Whether it did.
bool worker::sleep(const std::vector<held_queue>& mine) {
  asleep_.store(true, std::memory_order_seq_cst);  // pairs with is_asleep: from here on the watcher looks at our shards
  // One more look: what came while it was not yet known that we sleep.
  const bool work = (!is_worker_ring_busy() && all_.ready.any()) ||
                    std::any_of(mine.begin(), mine.end(), [](const held_queue& held) { return held.from->pending(); });
  if (!work && is_worker_ring_busy()) {
    worker_ring_->wait();
    const std::lock_guard hold(lock_);
    woken_ = false;
  } else if (!work) {
    std::unique_lock hold(lock_);
    wakeup_.wait(hold, [this] { return woken_ || all_.stopping.load(std::memory_order_acquire); });
    woken_ = false;
  }
  asleep_.store(false, std::memory_order_release);
  return !work;
}

void worker::note_begin(const request& call) {
  const u64 version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < 6; ++i) noted_[i].store(call.args[i], std::memory_order_release);
  noted_[6].store(u64{call.number} | u64{call.completion_slot} << 12 | u64{call.scope} << 32 | u64{call.run} << 40,
                  std::memory_order_release);
  noted_[7].store(u64{call.block} | u64{call.warp} << 32, std::memory_order_release);
  at_call_.store(++calls_begun_, std::memory_order_release);
  version_.store(version + 2, std::memory_order_release);  // pairs with in_progress
}

// Each look is compared with the one before: the worker itself does not look at the clock for each call, which takes it
// a quarter of the time that Linux takes for a short one.
void worker::look(u64 now) {
  const u64 at = at_call_.load(std::memory_order_relaxed);
  if (at == seen_at_.load(std::memory_order_relaxed)) return;
  seen_since_ns_.store(now, std::memory_order_relaxed);
  seen_at_.store(at, std::memory_order_release);  // pairs with busy_since_ns
}

u64 worker::busy_since_ns() const {
  const u64 seen = seen_at_.load(std::memory_order_acquire);  // pairs with look
  const u64 at = at_call_.load(std::memory_order_relaxed);
  return at != 0 && at == seen ? seen_since_ns_.load(std::memory_order_relaxed) : 0;
}

bool worker::in_progress(call_in_progress& into) const {
  const u64 version = version_.load(std::memory_order_acquire);  // pairs with note_begin
  if (version % 2 != 0) return false;
  for (std::size_t i = 0; i < 6; ++i) into.call.args[i] = noted_[i].load(std::memory_order_acquire);
  const u64 what = noted_[6].load(std::memory_order_acquire), where = noted_[7].load(std::memory_order_acquire);
  const u64 at = at_call_.load(std::memory_order_acquire);
  into.seen_since_ns = busy_since_ns();
  into.call.number = static_cast<u32>(what) & 0xfff;
  into.call.completion_slot = static_cast<u32>(what >> 12) & 0xfffff;
  into.call.scope = static_cast<u32>(what >> 32) & 0xff;
  into.call.run = static_cast<u32>(what >> 40) & (runs_max - 1);
  into.call.block = static_cast<u32>(where);
  into.call.warp = static_cast<u32>(where >> 32);
  return at != 0 && version_.load(std::memory_order_relaxed) == version;
}

// The request carries the low bits of the device's clock. The two clocks differ by an unknown shift; the request that
// seems to have been on its way shortest sets it, so a queueing time is told beyond the fastest one seen.
[[gnu::noinline]] void worker::begin_sample(const request& call) {
  constexpr u32 mask = (1u << 19) - 1, half = 1u << 18;
  const u64 now = now_ns();
  sample_began_ns_ = now;
  const u32 shift = (static_cast<u32>(now >> 10) - call.time) & mask;
  if (!clock_known_ || ((shift - clock_shift_) & mask) > half) {
    clock_shift_ = shift;
    clock_known_ = true;
  }
  add(counters_.queued_us, (shift - clock_shift_) & mask);
  add(counters_.queued_calls, 1);
}

}  // namespace genesys::detail
