// SPDX-License-Identifier: Apache-2.0
// Q5 to Q7: a request is collected, by its submitter or by the monitor for it. What the kernel has written is checked
// here.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "service/core.h"
#include "trace/clock.h"

namespace genesys::detail::services {

// This use of the slot is collected by the caller. False: another thread has collected it.
bool core::take(u32 slot, u32 use) {
  u64 expected = u64{use} << 32 | in_flight;
  if (!records_[slot].word.compare_exchange_strong(expected, u64{use} << 32)) return false;  // pairs with submit()
  if (records_[slot].by_launch.load(std::memory_order_relaxed) != 0) --launched_now_;
  unwatch(slot);
  return true;
}

// Q7, by the thread that has collected. False: another one has.
bool core::finish(u32 slot, u32 use, after then) {
  const u32 row = records_[slot].row.load(std::memory_order_relaxed);
  if (!take(slot, use)) return false;
  rows_->release(row);
  give_back(slot, then);
  return true;
}

// `retire`: a block may still store a completion, so the slot is not used again.
void core::give_back(u32 slot, after then) {
  if (then == after::retire) {
    {
      const std::lock_guard hold(late_lock_);
      late_.push_back(slot);
    }
    if (++retired_ == chosen_.slots) fail("no slot is left: all requests have failed");
  } else {
    give_slot(slot);
  }
}

bool core::has_late_requests() const {
  const std::lock_guard hold(late_lock_);
  return std::any_of(late_.begin(), late_.end(), [&](u32 slot) {
    const u64 word = std::atomic_ref<u64>(completions_[slot].word).load(std::memory_order_acquire);  // pairs with B4
    return use_of(word) != (records_[slot].word.load(std::memory_order_relaxed) >> 32 & 0xffffu);
  });
}

void core::give_slot(u32 slot) {
  free_.give(slot);
  if (slot_waiters_.load() == 0) return;  // pairs with take_slot()
  { const std::lock_guard hold(slot_lock_); }
  slot_freed_.notify_one();
}

// Q6. `collected`: the use of the slot is over, by its completion or by a failure, and this thread has collected it.
// `lost`: it is in flight, and the GPU's side is dead. The state is loaded first: a side that is dead then has stored
// all its completions.
core::seen core::look(u32 slot, u32 use, long& result) {
  const side gpu = gpu_.load(std::memory_order_acquire);  // pairs with fail() and replace_child()
  // Pairs with block_server::complete (B4).
  const u64 word = std::atomic_ref<u64>(completions_[slot].word).load(std::memory_order_acquire);
  const u32 shown = use_of(word);
  if (shown == (use & 0xffffu)) {
    result = static_cast<long>(result_of(word));
    return finish(slot, use, after::free) ? seen::collected : seen::nothing;
  }
  if (gpu == side::lost) return seen::lost;
  if (shown != ((use - 1) & 0xffffu)) {  // J4
    if (is_isolated()) {
      if (gpu == side::up) blame(slot, use, -EBADMSG, "a completion is malformed");
      return seen::nothing;
    }
    result = -EBADMSG;
    if (!finish(slot, use, after::retire)) return seen::nothing;
    ++malformed_;
    return seen::collected;
  }
  return seen::nothing;
}

// The child of an isolated server is replaced because of this request. Another thread may have taken the request, and
// the slot may have another use by now. If it still has this one, it had it when the caller looked.
void core::blame(u32 slot, u32 use, int failure, const char* why) {
  if (records_[slot].word.load(std::memory_order_acquire) != (u64{use} << 32 | in_flight)) return;
  int none = 0;
  if (!records_[slot].failure.compare_exchange_strong(none, failure)) return;
  ++(failure == -EBADMSG ? malformed_ : timed_out_);
  fail(why);
}

bool core::collect(call_state& call) {
  if (call.done.load(std::memory_order_acquire) != 0) return true;  // pairs with deliver()
  if (call.by_twin) return false;
  long result = 0;
  const seen what = look(call.slot, call.use, result);
  if (what == seen::lost) return redo_for_submitter(call.slot, call.use, call);
  if (what == seen::nothing) return false;
  call.result = result;
  call.done.store(1, std::memory_order_relaxed);
  if (call.is_ticket) call.owners.fetch_sub(1);
  return true;
}

long core::wait(call_state& call) {
  constexpr u32 polls = 200, polls_for_a_look_at_the_clock = 64;
  u64 sleep_at = 0;
  for (u32 i = 1; !collect(call); ++i) {
    if (!call.by_launch) look_at_kernel();
    if (i > polls) std::this_thread::yield();
    if (i % polls_for_a_look_at_the_clock != 0) continue;
    const u64 now = now_ns();
    if (sleep_at == 0) sleep_at = now + u64{chosen_.spin_us} * 1000;
    if (now < sleep_at) continue;
    if (!call.is_ticket) watch(call.slot);
    sleeping& at = sleeping_[call.slot % sleeping_count];
    std::unique_lock hold(at.lock);
    // The monitor looks at the time limit and at failures.
    while (call.done.load(std::memory_order_acquire) == 0) at.woken.wait_for(hold, std::chrono::milliseconds(100));
    break;
  }
  if (call.result < 0) counters_.count_error(number_in_report(call.code));
  return call.result;
}

// By the thread that has collected the request for its submitter. Behind the lock the submitter may be gone.
void core::deliver(u32 slot, call_state* call, long result) {
  sleeping& at = sleeping_[slot % sleeping_count];
  const bool is_ticket = call->is_ticket;
  {
    const std::lock_guard hold(at.lock);
    call->result = result;
    call->done.store(1, std::memory_order_release);  // pairs with collect() and wait()
  }
  at.woken.notify_all();
  if (is_ticket && call->owners.fetch_sub(1) == 1) delete call;
}

// The monitor's look at a request that it attends. Whether the request is in flight, and is the non-stop kernel's.
bool core::collect_for_submitter(u32 slot, u64 now) {
  slot_record& record = records_[slot];
  const u64 word = record.word.load(std::memory_order_acquire);
  if ((word & in_flight) == 0) return false;
  const bool wants_kernel = record.by_launch.load(std::memory_order_relaxed) == 0;
  const auto use = static_cast<u32>(word >> 32);
  call_state* const call = record.call.load(std::memory_order_relaxed);
  const u64 watched = record.watched_ns.load(std::memory_order_relaxed);
  long result = 0;
  const seen what = look(slot, use, result);
  if (what == seen::collected) {
    deliver(slot, call, result);
  } else if (what == seen::lost) {
    redo_later(slot, use, call);
  } else if (chosen_.limit_ms == 0 || now - watched < u64{chosen_.limit_ms} * 1'000'000 || now < watched) {
    return wants_kernel;
  } else if (is_isolated()) {
    blame(slot, use, -ETIMEDOUT, "a request took longer than limit_ms");
  } else if (finish(slot, use, after::retire)) {
    ++timed_out_;
    deliver(slot, call, -ETIMEDOUT);
  }
  return false;
}

}  // namespace genesys::detail::services
