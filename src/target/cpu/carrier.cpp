// SPDX-License-Identifier: Apache-2.0
// The carrier's loop. See carrier.h.
#include "target/cpu/carrier.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "target/cpu/abort.h"
#include "target/cpu/regions.h"

namespace genesys::detail::cpu {
namespace {

// The scheduler draws the thread of a turn this many turns ahead, and prefetches its control block. It prefetches the
// stack half as many turns ahead.
constexpr std::size_t look_ahead = 8;

constexpr std::size_t stacks_kept_idle = sanitizers::thread ? 64 : 0;

sanitizers::stack_note stack_of_this_thread() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return sanitizers::own_stack(low, bytes);
}

// A signal handler would run on a fiber's small stack. So the carrier blocks all signals except those that its own
// instructions raise, and the SIGPROF of a profiler.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF}) sigdelset(&all, s);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

// Prefetches the lines that a switch to the fiber loads.
void fetch_stack(const fiber& f) {
  if (f.context == nullptr) return;
  __builtin_prefetch(f.context);
  __builtin_prefetch(static_cast<const std::byte*>(f.context) + 64);
}

}  // namespace

carrier::carrier(unsigned number, unsigned warps_max, std::size_t stack_bytes, std::uint64_t seed, launches& from)
    : launches_(from), warps_max_(warps_max), random_(seed | 1) {
  index = number;
  const unsigned hint_count = hints(warps_max), threads = hint_count * warp_lanes;
  fibers_ = std::make_unique<fiber[]>(threads);
  free_fibers_.reserve(threads);
  ready_.reserve(threads);
  next_.reserve(threads);
  free_hints_.reserve(hint_count);
  signal_stack_ = std::make_unique<std::byte[]>(signal_stack_bytes);
  stacks_.emplace(stack_bytes, stacks_kept_idle);
  errand_stacks_.emplace(stack_bytes, std::size_t{0});
  janitor_stacks = &*errand_stacks_;
  for (unsigned i = threads; i-- > 0;) free_fibers_.push_back(&fibers_[i]);
  for (unsigned i = hint_count; i-- > 0;) free_hints_.push_back(number * hint_count + i);
}

void carrier::work() {
  pthread_setname_np(pthread_self(), "genesys-cpu");
  block_signals();
  allow_device_memory();  // Linux may have started this thread without access
  const stack_t alternate{.ss_sp = signal_stack_.get(), .ss_flags = 0, .ss_size = signal_stack_bytes};
  stack_t before{};
  sigaltstack(&alternate, &before);
  own = stack_of_this_thread();
  this_carrier = this;
  // Makes the janitor's stack now. Later it would take time under the launches' lock, where other carriers wait.
  if (stack* const made = errand_stacks_->take()) errand_stacks_->give(made);
  while (admit()) round();
  stacks_.reset();
  errand_stacks_.reset();
  for (resident_block& each : blocks_) regions::give_shared_slab(each.shared_slab);
  this_carrier = nullptr;
  sigaltstack(&before, nullptr);
}

// Takes at most as many blocks as the carrier has already, but at least one. So short blocks end before more of them
// crowd the cache, and long blocks fill the device within a few rounds. False: the device is closed, and the carrier
// has no block.
bool carrier::admit() {
  bool took = false;
  const unsigned most = std::max(1u, blocks_resident_);
  for (unsigned i = 0; i < most; ++i) {
    const bool alone = blocks_resident_ == 0;
    if (!alone && (warps_resident_ >= warps_max_ || !launches_.offers())) break;
    resident_block* const place = empty_block();
    if (place == nullptr) {  // resident blocks go on; without any, the carrier tries again
      report_memory_wanted();
      only_pauses_ = true;
      if (alone && launches_.is_closed()) return false;
      break;
    }
    const unsigned free_warps = alone ? block_warps_max : warps_max_ - warps_resident_;
    const launch_state* const launch = launches_.take(*this, free_warps, *place, alone);
    if (launch == nullptr) {
      if (alone) return false;
      break;
    }
    took = true;
    if (launch->abort && must_leave_at_entry(*launch->abort)) {  // B1: no thread begins
      count_leaving(*launch->abort, place->rank, launch->threads, true);
      launches_.block_ended(*this, *place);
      continue;
    }
    free_blocks_.pop_back();
    begin(*place, *launch);
  }
  let_others_run(!took && only_pauses_);
  return true;
}

// A kernel thread that waits for a worker, or for another OS thread, must not keep them from the processor. First the
// carrier yields, which delays it least. Later it takes naps: on Linux 6.18 a thread that only yields can keep a
// processor as long as it yields, although other threads, Linux's own among them, are ready to run. (A round of turns
// that compute but end in pause() counts as waiting, too.)
void carrier::let_others_run(bool all_wait) {
  constexpr unsigned yields = 100;
  if (!all_wait) {
    rounds_without_work_ = 0;
  } else if (rounds_without_work_ < yields) {
    ++rounds_without_work_;
    sched_yield();
  } else {
    const timespec shortest{0, 1};  // some 50 us: prctl(2), PR_SET_TIMERSLACK
    nanosleep(&shortest, nullptr);
  }
}

// Null: there is no memory for one more block.
resident_block* carrier::empty_block() {
  if (!free_blocks_.empty()) return free_blocks_.back();
  try {
    free_blocks_.reserve(blocks_.size() + 1);
    resident_block& made = blocks_.emplace_back();
    try {
      made.threads.reserve(block_threads_max);
      for (resident_warp& warp : made.warps) warp.meetings.reserve(warp_lanes);
      made.shared_slab = regions::take_shared_slab();
    } catch (...) {
      blocks_.pop_back();
      throw;
    }
    if (made.shared_slab == nullptr) {
      blocks_.pop_back();
      return nullptr;
    }
    made.shared = made.shared_slab + (blocks_.size() - 1) % shared_colours * shared_colour_bytes;
    made.carrier_stack = &own;
    free_blocks_.push_back(&made);
    return &made;
  } catch (const std::exception&) {  // no memory of any kind
    return nullptr;
  }
}

void carrier::begin(resident_block& block, const launch_state& launch) {
  if (block.shared_used != 0) regions::forget_use(block.shared_slab, shared_slab_bytes);
  std::memset(block.shared, fresh_byte, launch.shared_bytes);
  block.shared_used = launch.shared_bytes;
  block.objects_used = 0;

  block.threads.resize(launch.threads);
  for (unsigned rank = 0; rank < launch.threads; ++rank) {
    fiber* const f = free_fibers_.back();
    free_fibers_.pop_back();
    f->home = &block;
    f->rank = rank;
    block.threads[rank] = f;
    next_.push_back(f);
  }
  for (unsigned warp = 0; warp < launch.warps; ++warp) {
    const unsigned lanes = std::min(warp_lanes, launch.threads - warp * warp_lanes);
    block.warps[warp].alive = ~std::uint32_t{0} >> (warp_lanes - lanes);
    block.warps[warp].hint = free_hints_.back();
    free_hints_.pop_back();
  }
  block.alive = block.running = launch.threads;
  block.aborted = block.had_turn = false;
  ++blocks_resident_;
  warps_resident_ += launch.warps;
  threads_resident_ = threads_resident_ + launch.threads;
}

void carrier::end(resident_block& block) {
  const unsigned threads = static_cast<unsigned>(block.threads.size());
  const unsigned warps = (threads + warp_lanes - 1) / warp_lanes;
  for (unsigned warp = warps; warp-- > 0;) free_hints_.push_back(block.warps[warp].hint);
  --blocks_resident_;
  warps_resident_ -= warps;
  threads_resident_ = threads_resident_ - threads;
  running = nullptr;
  current_identity.store(&no_identity, std::memory_order_relaxed);  // block_ended() may destroy the kernel
  launches_.block_ended(*this, block);
  free_blocks_.push_back(&block);
}

// Gives one turn to each fiber that was ready when the round began.
void carrier::round() {
  ready_.clear();
  ready_.swap(next_);
  only_pauses_ = true;
  const std::size_t count = ready_.size();
  for (std::size_t i = 0; i < std::min(look_ahead, count); ++i) draw(i);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + look_ahead < count) draw(i + look_ahead);
    if (i + look_ahead / 2 < count) fetch_stack(*ready_[i + look_ahead / 2]);
    fiber& f = *ready_[i];
    resident_block& block = *f.home;
    const launch_state& launch = *block.launch;
    if (launch.abort && !block.aborted && is_raised(*launch.abort)) block.abort(next_);
    const bool never_began = block.aborted && f.context == nullptr;
    if (!never_began) block.had_turn = true;
    const request asked = never_began ? request::leave : give_turn(*this, f, *stacks_);
    if (asked == request::pause) {
      next_.push_back(&f);
      continue;
    }
    only_pauses_ = false;
    if (asked != request::leave) {
      block.wait(f, next_);
      continue;
    }
    block.leave(f, next_);
    free_fibers_.push_back(&f);
    if (block.alive == 0) end(block);
  }
  running = nullptr;
}

// Draws the fiber for this position of the round: one step of a random shuffle.
void carrier::draw(std::size_t position) {
  const auto left = static_cast<std::uint32_t>(ready_.size() - position);
  std::swap(ready_[position], ready_[position + random_below(left)]);
  __builtin_prefetch(ready_[position]);
}

std::uint32_t carrier::random_below(std::uint32_t limit) {  // xorshift64*
  random_ ^= random_ >> 12;
  random_ ^= random_ << 25;
  random_ ^= random_ >> 27;
  return static_cast<std::uint32_t>((random_ * 0x2545'F491'4F6C'DD1Du >> 32) * limit >> 32);
}

}  // namespace genesys::detail::cpu
