// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/abortable_launch.h"

#include <bit>
#include <cstring>
#include <exception>
#include <utility>

#include "schedule/daemon/clock.h"
#include "schedule/rewrite/abort_words.h"
#include "schedule/standin/in_context.h"
#include "schedule/standin/messages.h"
#include "schedule/standin/program_memory.h"

namespace genesys::schedule::standin {

static_assert(sizeof(detail::aborts::launch_context) == context_bytes);
static_assert(detail::aborts::latches_max == 32 && detail::aborts::indices == 32);

// At the first launch of the first context.
bool abortable_launch::prepare(CUcontext context) {
  if (const std::uint64_t ended = program_memory().times_cleared(); ended != contexts_ended_) {
    contexts_ended_ = ended;
    (void)of_.release();  // its memory has ended with its context, or is not given back; a new one may be elsewhere
    ended_ = nullptr;
    is_refused_ = false;
    latches_used_ = 0;
  }
  if (is_refused_) return false;
  if (of_ != nullptr) return of_->context == context;
  try {
    of_ = std::make_unique<in_one_context>(context);
  } catch (const std::exception& failed) {
    say_once("memory for aborts", std::string("launches are not aborted: ") + failed.what());
    is_refused_ = true;
  }
  return of_ != nullptr;
}

bool abortable_launch::take(const observed_launch& one, abort_choice how, bool is_raised) {
  if (latches_used_ == ~std::uint32_t{0} || !prepare(one.context())) return false;
  if (ended_ == nullptr && GENESYS_REAL(cuEventCreate)(&ended_, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return false;
  if (!how.is_idempotent && !(of_->snapshot.fits(how.bytes) && of_->snapshot.store(how.write_set, one.stream()))) {
    return false;
  }
  kept_.emplace(one.keep());
  with_ = how.with;
  is_idempotent_ = how.is_idempotent;
  times_aborted_ = 0;
  const bool is_launched = issue(is_raised) == CUDA_SUCCESS;
  if (state_ == state::nothing) kept_.reset();
  return is_launched;
}

// If the event cannot be recorded, the launch is there for the program, and is never aborted.
CUresult abortable_launch::issue(bool is_raised) {
  const auto latch = static_cast<detail::u32>(std::countr_one(latches_used_));
  attempt_ = of_->table.begin(latch, kept_->threads());
  latches_used_ |= std::uint32_t{1} << latch;
  if (is_raised) raise();
  const auto context = std::as_bytes(std::span(&attempt_->context, 1));
  const CUresult returned = kept_->issue(*with_, context);
  const bool has_end = returned == CUDA_SUCCESS && GENESYS_REAL(cuEventRecord)(ended_, kept_->stream()) == CUDA_SUCCESS;
  issued_ns_ = processes::now_ns();
  state_ = !has_end ? state::nothing : is_raised ? state::raised : state::runs;
  if (!has_end) conclude();
  return returned;
}

void abortable_launch::raise() {
  try {
    of_->table.raise(*attempt_);
    state_ = state::raised;
  } catch (const std::exception&) {  // a kernel has failed, and its context with it: the program will see that
  }
}

void abortable_launch::look() {
  if (state_ != state::runs && state_ != state::raised) return;
  if (!(faults_.no_drain && state_ == state::raised) && GENESYS_REAL(cuEventQuery)(ended_) == CUDA_ERROR_NOT_READY) {
    return;
  }
  const std::uint64_t ran = run_ns();
  const bool was_raised = state_ == state::raised;
  state_ = state::nothing;
  conclude();
  kernel& launched = *kept_->launched();
  if (state_ == state::aborted) {
    ++times_aborted_;
    launched.learn_run_at_least(2 * ran);
    return;
  }
  if (!was_raised) launched.learn_run(ran);
  kept_.reset();
}

// The table's numbers of this attempt are free again.
void abortable_launch::conclude() {
  try {
    const launch_end end = of_->table.conclude(*attempt_);
    if (end.aborted) state_ = state::aborted;
    has_written_ = end.wrote;
  } catch (const std::exception&) {  // as for raise()
  }
  latches_used_ &= ~(std::uint32_t{1} << attempt_->latch);
  attempt_.reset();
}

bool abortable_launch::run_again() {
  has_rolled_back_ = has_written_ && !is_idempotent_ && !faults_.no_roll_back;
  CUresult returned = CUDA_ERROR_UNKNOWN;
  if (!has_rolled_back_ || of_->snapshot.restore(kept_->stream())) {
    returned = issue();
    if (returned != CUDA_SUCCESS) returned = kept_->issue();
  }
  if (returned != CUDA_SUCCESS) {
    say("kernel " + kept_->launched()->name() + " was aborted and cannot run again: error " + std::to_string(returned) +
        " of the driver. The program's results are wrong");
  }
  if (state_ == state::runs) return true;
  state_ = state::nothing;
  kept_.reset();
  return false;
}

abortable_launch::let_go abortable_launch::let_run() {
  state_ = state::nothing;
  kept_.reset();
  return {std::exchange(ended_, nullptr), *std::exchange(attempt_, std::nullopt)};
}

void abortable_launch::has_passed(const let_go& one) {
  (void)of_->table.conclude(one.attempt);
  latches_used_ &= ~(std::uint32_t{1} << one.attempt.latch);
}

std::uint64_t abortable_launch::run_ns() const { return processes::now_ns() - issued_ns_; }

}  // namespace genesys::schedule::standin
