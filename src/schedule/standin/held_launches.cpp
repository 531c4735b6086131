// SPDX-License-Identifier: Apache-2.0
// What happens on the program's threads (held_launches.h).
#include "schedule/standin/held_launches.h"

#include <sched.h>

#include <thread>
#include <utility>

#include "schedule/daemon/clock.h"
#include "schedule/standin/in_context.h"
#include "schedule/standin/membership.h"
#include "schedule/standin/program_memory.h"
#include "schedule/standin/relaxed_capture.h"
#include "schedule/standin/stream_list.h"

namespace genesys::schedule::standin {

using processes::now_ns;
using processes::time_ns;

void lock_soon(std::unique_lock<std::mutex>& lock) {
  constexpr int tries = 200, pauses = 10;
  for (int i = 0; i < tries; ++i) {
    for (int pause = 0; pause < pauses; ++pause) __builtin_ia32_pause();
    if (lock.try_lock()) return;
  }
  lock.lock();
}

std::uint64_t held_launches::next_number() {
  static std::atomic<std::uint64_t> given{0};
  return ++given;
}

// At the first launch, because the GPU is known then.
void held_launches::open() {
  processes::client_options how = client_options_of(nice_);
  if (!with_.socket.empty()) how.socket = with_.socket;
  client_ = std::make_unique<processes::client>(std::move(how));
  (void)client_->connect();
  has_others_ = client_->others() > 0;
  is_open_.store(true, std::memory_order_relaxed);
  member_thread_ = std::thread([this] { be_member(); });
}

held_launches::~held_launches() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
    begun_now_.notify_one();
  }
  if (member_thread_.joinable()) member_thread_.join();
}

// Nobody else is there, so no call waits. A launch that was abortable may still be there when the others have gone.
bool held_launches::is_free() const {
  return !has_others_.load(std::memory_order_relaxed) && !has_abortable_.load(std::memory_order_relaxed);
}

// Counted also while nobody else is there: a call may still be under way when another member comes.
void held_launches::note_caller(CUstream stream) {
  static thread_local std::uint64_t counted = 0;
  if (counted != number_) {
    counted = number_;
    callers_.fetch_add(1, std::memory_order_relaxed);
  }
  if (stream == CU_STREAM_PER_THREAD) has_thread_streams_.store(true, std::memory_order_relaxed);
}

bool held_launches::lets_pass(CUfunction function, CUstream stream) noexcept {
  if (!is_open_.load(std::memory_order_relaxed)) return false;
  note_caller(stream);
  if (!is_free()) return false;
  launches_.fetch_add(1, std::memory_order_relaxed);
  tally_of(function).count_launch();
  return true;
}

CUresult held_launches::launch(const observed_launch& one) noexcept {
  std::call_once(opened_, [this] { open(); });
  note_caller(one.stream());
  launches_.fetch_add(1, std::memory_order_relaxed);
  one.launched()->tally().count_launch();
  if (one.is_captured() || is_free()) return one.issue();
  const relaxed_capture meanwhile;
  abort_choice how;
  if (has_more_important_.load(std::memory_order_relaxed)) {
    how = choose_abort(one, static_cast<std::uint64_t>(with_.short_run));
  }
  std::unique_lock hold(lock_);
  time_ns since = now_ns();
  for (;;) {
    if (wait_while_held(hold)) since = now_ns();
    if (!has_begun_) {
      has_begun_ = true;
      is_held_ = client_->begin() != processes::hold::none;
      begun_now_.notify_one();
      if (is_held_) continue;
    }
    collect();
    const bool waits = waits_for(one.stream());
    if (waits && is_late(since)) {
      let_run();
    } else if (!waits && (!has_more_important_.load(std::memory_order_relaxed) || !has_many_ahead())) {
      break;
    }
    hold.unlock();
    ::sched_yield();
    lock_soon(hold);
  }
  if (how.with != nullptr && take(one, how)) return CUDA_SUCCESS;
  const CUresult returned = one.issue();
  if (returned == CUDA_SUCCESS) note(one);
  return returned;
}

// Under lock_. A launch that has not ended for so long holds the GPU anyway, and others may be part of what it waits
// for. Those behind it in its stream wait for it, so they count.
bool held_launches::has_many_ahead() const {
  const time_ns now = now_ns();
  std::size_t ahead = abortable_.is_there() ? 1 : 0;
  for (auto each = in_gpu_.begin(); each != in_gpu_.end() && ahead < ahead_max; ++each) {
    const bool is_first = std::none_of(in_gpu_.begin(), each, [&](const in_gpu& before) {
      return before.context == each->context && before.stream == each->stream;
    });
    if (!is_first || now - each->issued <= with_.settle_max) ++ahead;
  }
  return ahead >= ahead_max;
}

// Whether it has waited.
bool held_launches::wait_while_held(std::unique_lock<std::mutex>& hold) {
  const bool waits = is_held_;
  while (is_held_) resumed_.wait(hold);
  return waits;
}

// Under lock_. Whether a call that has waited since then for the abortable launch has waited for too long.
bool held_launches::is_late(time_ns since) const {
  const auto run = static_cast<time_ns>(abortable_.launch().launched()->learnt_run_ns());
  return now_ns() - since > with_.settle_max + with_.settle_runs * run;
}

void held_launches::settle(CUstream stream, bool waits) noexcept {
  note_caller(stream);
  if (!is_free()) settle_where(stream, waits);
}

void held_launches::settle_all(bool waits) noexcept {
  note_caller(CU_STREAM_LEGACY);
  if (!is_free()) settle_where(std::nullopt, waits);
}

// Whether work that the program gives to the stream must not begin while the abortable launch is there. What is not
// idempotent lets nothing begin: to restore its write set would undo what others write there meanwhile. Under lock_.
bool held_launches::waits_for(CUstream stream) const {
  if (!abortable_.is_there()) return false;
  return !abortable_.is_idempotent() || stream_list::only().are_ordered(stream, abortable_.launch().stream());
}

void held_launches::settle_where(const std::optional<CUstream>& stream, bool waits) {
  const relaxed_capture meanwhile;
  std::unique_lock hold(lock_);
  time_ns since = now_ns();
  for (;;) {
    if (wait_while_held(hold)) since = now_ns();
    if (with_.faults.no_settle) return;
    collect();
    if (!abortable_.is_there() || (stream && !waits_for(*stream))) return;
    if (!waits && is_late(since)) let_run();
    hold.unlock();
    ::sched_yield();
    lock_soon(hold);
  }
}

// Whether nothing else of the program can be in the GPU, or come there without being seen, while this launch is there.
// A second thread may be in a call that was settled and has not come to the driver yet.
bool held_launches::is_alone(const observed_launch& one) const {
  if (with_.faults.no_exclusion) return true;
  return callers_.load(std::memory_order_relaxed) <= 1 && !has_thread_streams_.load(std::memory_order_relaxed) &&
         stream_list::only().others_are_idle(one.stream());
}

// Under lock_.
bool held_launches::take(const observed_launch& one, abort_choice& how) {
  if (abortable_.is_there() || now_ns() < aborts_again_at_) return false;
  if (!how.is_idempotent && !is_alone(one)) return false;
  if (!abortable_.take(one, std::move(how))) return false;
  taken_.fetch_add(1, std::memory_order_relaxed);
  has_abortable_.store(abortable_.is_there(), std::memory_order_relaxed);
  return true;
}

// Under lock_. Their events are gone, and a new context may have the old one's handle.
void held_launches::forget_ended_contexts() {
  if (const std::uint64_t ended = program_memory().times_cleared(); ended != contexts_ended_) {
    contexts_ended_ = ended;
    in_gpu_.clear();
    free_.clear();
  }
}

// Under lock_. The call has waited for too long; perhaps the launch waits for something that this thread will do. While
// flags are being raised it has not: then is_held_ is set, or the launch will run again soon.
void held_launches::let_run() {
  if (abortable_.now() != abortable_launch::state::runs) return;
  let_run_.fetch_add(1, std::memory_order_relaxed);
  aborts_again_at_ = now_ns() + with_.not_after_late;
  const observed_launch& one = abortable_.launch();
  in_gpu made{nullptr, one.context(), one.stream(), one.launched(), now_ns(), std::nullopt};
  made.was_abortable = abortable_.let_run();
  made.ended = made.was_abortable->ended;
  in_gpu_.push_back(std::move(made));
  has_abortable_.store(false, std::memory_order_relaxed);
}

// Under lock_, in the launch's context.
void held_launches::note(const observed_launch& one) {
  std::vector<CUevent>& idle = free_[one.context()];
  CUevent event = nullptr;
  if (!idle.empty()) {
    event = idle.back();
    idle.pop_back();
  } else if (GENESYS_REAL(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    return;
  }
  if (GENESYS_REAL(cuEventRecord)(event, one.stream()) == CUDA_SUCCESS) {
    in_gpu_.push_back({event, one.context(), one.stream(), one.launched(), now_ns(), std::nullopt});
  } else {
    idle.push_back(event);
  }
}

// Under lock_. Launches of several streams may end in another order; the oldest one counts.
void held_launches::collect() {
  forget_ended_contexts();
  while (!in_gpu_.empty()) {
    in_gpu& first = in_gpu_.front();
    const in_context in(first.context);
    if (GENESYS_REAL(cuEventQuery)(first.ended) == CUDA_ERROR_NOT_READY) break;
    learn(first);
    if (first.was_abortable) abortable_.has_passed(*first.was_abortable);
    free_[first.context].push_back(first.ended);
    in_gpu_.pop_front();
  }
  // Behind a launch that does not end, as that of a persistent kernel.
  const bool is_full = in_gpu_.size() >= ahead_max && has_more_important_.load(std::memory_order_relaxed);
  if (is_full || in_gpu_.size() % noted_max == noted_max - 1) forget_ended();
  if (!abortable_.is_there() || abortable_.now() == abortable_launch::state::aborted) return;
  const in_context in(abortable_.launch().context());
  const std::uint64_t ran = abortable_.run_ns();
  abortable_.look();
  if (abortable_.now() == abortable_launch::state::aborted) {
    aborts_.fetch_add(1, std::memory_order_relaxed);
    abortable_.launch().launched()->tally().count_abort(ran);
    longest_run_ = std::max(longest_run_, 2 * ran);
  } else if (!abortable_.is_there()) {
    has_abortable_.store(false, std::memory_order_relaxed);
    longest_run_ = std::max(longest_run_, ran);
    last_end_ = now_ns();
  }
}

// Under lock_. All but the oldest one, whose time is measured when it is looked at next.
void held_launches::forget_ended() {
  if (in_gpu_.empty()) return;
  const auto has_ended = [&](const in_gpu& each) {
    const in_context in(each.context);
    if (GENESYS_REAL(cuEventQuery)(each.ended) == CUDA_ERROR_NOT_READY) return false;
    if (each.was_abortable) abortable_.has_passed(*each.was_abortable);
    free_[each.context].push_back(each.ended);
    return true;
  };
  in_gpu_.erase(std::remove_if(in_gpu_.begin() + 1, in_gpu_.end(), has_ended), in_gpu_.end());
}

void held_launches::learn(const in_gpu& one) {
  const time_ns end = now_ns();
  if (!one.was_abortable) one.what->learn_run(static_cast<std::uint64_t>(end - std::max(last_end_, one.issued)));
  last_end_ = end;
}

bool held_launches::give_back_memory() noexcept {
  settle_where(std::nullopt, true);
  const std::lock_guard hold(lock_);
  return !abortable_.is_there() && abortable_.give_back_memory();
}

std::string held_launches::report() const {
  const auto number = [](const auto& of) { return std::to_string(of.load(std::memory_order_relaxed)); };
  return number(launches_) + " launches, " + number(taken_) + " of them abortable: " + number(aborts_) + " aborts, " +
         number(rolled_back_) + " rolled back, " + number(run_again_) + " run again, " + number(let_run_) + " let run";
}

}  // namespace genesys::schedule::standin
