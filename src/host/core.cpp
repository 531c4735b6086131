// SPDX-License-Identifier: Apache-2.0
#include "host/core.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <thread>

#include "host/metrics.h"
#include "host/sigquit.h"
#include "policy/confine.h"
#include "trace/clock.h"

namespace genesys::detail {

// Limits in the rules override those in the options.
policy::limits core::limits_of(const options& chosen, const rules& allowed) {
  return {allowed.descriptors_max != 0 ? allowed.descriptors_max : chosen.descriptors_max,
          allowed.calls_per_second != 0 ? allowed.calls_per_second : chosen.calls_per_second};
}

// The options with every choice made.
options core::completed(options chosen, const rules& allowed, executor_kind by) {
  chosen.executor = by;
  chosen.wakeup = choose_wakeup(chosen.wakeup);
  const auto limit = [](auto& option, std::uint64_t returned) {
    if (returned != 0) option = static_cast<std::remove_reference_t<decltype(option)>>(returned);
  };
  limit(chosen.descriptors_max, allowed.descriptors_max);
  limit(chosen.parked_max, allowed.parked_max);
  limit(chosen.bounce_bytes, allowed.bounce_bytes);
  limit(chosen.mapped_bytes_max, allowed.mapped_bytes_max);
  limit(chosen.calls_per_second, allowed.calls_per_second);
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  if (chosen.workers == 0) chosen.workers = processors < 4 ? 2 : std::clamp(processors * 3 / 4, 2u, 16u);
  if (chosen.workers > 512)
    throw error(error_code::bad_option, "workers is " + std::to_string(chosen.workers) + "; at most 512 make sense");
  chosen.workers_max = std::max(chosen.workers_max, chosen.workers);
  if (chosen.queues == 0) chosen.queues = chosen.workers;                    // as many, to spread the load evenly
  if (chosen.rings == 0) chosen.rings = std::clamp(processors / 4, 1u, 4u);  // each ring's SQPOLL thread takes a core
  if (chosen.rings > shared_rings_max)
    throw error(error_code::bad_option, "rings is " + std::to_string(chosen.rings) + "; at most 16 make sense");
  if (!std::has_single_bit(chosen.ring_entries) || chosen.ring_entries < 2 || chosen.ring_entries > 16384)
    throw error(error_code::bad_option, "ring_entries is " + std::to_string(chosen.ring_entries) +
                                            "; it has to be a power of two from 2 to 16,384");
  return chosen;
}

// A queue needs room for one bundle and the requests of one more warp.
void core::coalesce(u64 window_us, u64 calls) {
  constexpr u64 longest_us = 1'000'000;
  const u64 most = all.chosen.slots_per_queue / 2;
  const bool none = window_us == 0 || calls < 2;
  all.coalescing.store(none ? 0 : std::min(window_us, longest_us) << 32 | std::min(calls, most),
                       std::memory_order_relaxed);
}

void core::start() {
  try {
    coalesce(all.chosen.coalesce_us, all.chosen.coalesce_calls);
    forget_closed(open_before_);
    protect_drivers(open_before_, all.on->kind() == device_kind::cuda);
    if (all.rules.chosen().deny_anything()) all.parked.begin();
    monitor_.emplace(
        all, [this] { return std::static_pointer_cast<void>(shared_from_this()); },
        [this](u64 now) { drains_.look(now); }, [this] { return kernels_of_runs(); });
    monitor_->start();
    recordings.start_as_asked(all.chosen);
    if (all.chosen.control)
      control_.emplace(
          number, recordings,
          control_socket::replies{[this] { return waiting(); },
                                  [this] { return open_metrics(stats(), number, calls_in_flight().size()); }});
    if (all.chosen.sigquit) report_on_sigquit(this, [this](std::ostream& to) { report(to); });
  } catch (...) {
    end();
    throw;
  }
}

u32 core::next_number() {
  static std::atomic<u32> made{0};
  return made.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<run_state> core::attach(void* stream, const std::string& name) {
  auto fresh = std::make_shared<run_state>();
  std::list<run_state*> entry{fresh.get()};
  fresh->producers.resize(all.memory.queues());
  fresh->of = shared_from_this();
  fresh->kernels = all.on->attach(stream);
  device_context where = all.memory.where();
  {
    const std::lock_guard hold(lock_);
    if (ended_) throw error(error_code::bad_option, "the runtime has ended");
    if (runs_.empty()) {
      all.maps.begin_epoch();  // memory may have been freed since the last run, so cached addresses are stale
      grid_check_.make_room();
    }
    where.generation = all.maps.epoch();
    where.run = static_cast<u16>(free_run());
    fresh->where = where;
    runs_.splice(runs_.end(), entry);
  }
  monitor_->run_attached();  // before what may throw: the end of `fresh` counts the run as ended
  all.recorder.name_run(where.run, name);
  return fresh;
}

// With lock_ held. Returns a number that no other run has.
u32 core::free_run() {
  for (u32 tried = 1; tried < runs_max; ++tried) {
    last_run_ = last_run_ + 1 == runs_max ? 1 : last_run_ + 1;
    if (run_taken_[last_run_]) continue;
    run_taken_[last_run_] = true;
    return last_run_;
  }
  throw error(error_code::bad_option, "too many runs at a time: at most " + std::to_string(runs_max - 1) +
                                          " can be attached; drain and destroy some");
}

void core::free_device(void* memory) {
  {
    const std::lock_guard hold(lock_);
    if (!runs_.empty()) {
      to_free_.push_back(memory);
      return;
    }
  }
  all.on->free(memory);
}

void core::detach(run_state& ended, bool failed) {
  std::vector<void*> to_free;
  {
    const std::lock_guard hold(lock_);
    runs_.remove(&ended);
    run_taken_[ended.where.run] = failed;
    if (failed) {  // its kernel may still run: its memory and its number stay taken
      failed_ = true;
      all.memory.leak();
      all.maps.leak();
    }
    if (failed && all.direct) all.direct->leak();
    if (runs_.empty() && !failed_) to_free.swap(to_free_);
    settle_if_idle();
  }
  for (void* memory : to_free) all.on->free(memory);
  if (!failed) {
    for (const std::uintptr_t copy : ended.copies) all.memory.arena().give(copy);
    monitor_->run_ended();  // a failed run's kernel may still call
  }
}

// How many calls workers have dequeued, and Linux has consumed from shared rings.
u64 core::calls_begun() const {
  u64 calls = all.direct ? all.direct->calls_so_far() : 0;
  for (u32 s = 0; s < all.memory.queues(); ++s) calls += all.queues[s].taken_so_far();
  return calls;
}

void core::must_be_own() const {
  if (!is_inherited()) return;
  throw error(error_code::forked,
              "this process is a child of fork(), and the runtime is its parent's: fork before the runtime is made, or "
              "call exec in the child, or make a new runtime there (on the CPU device: CUDA cannot be used after a "
              "fork)");
}

void core::stay() {
  if (!stays_.exchange(true)) itself_ = shared_from_this();
}

run_state::~run_state() {
  if (of != nullptr && of->is_inherited()) {
    (void)new std::shared_ptr<launches>(std::move(kernels));
    of->stay();
    return;
  }
  if (of == nullptr || where.run == 0) return;
  bool failed = false;
  try {
    if (!drained) of->wait_for_end(*this, "the end of a run");
  } catch (const std::exception& caught) {
    std::fprintf(stderr, "%s\n", caught.what());
    failed = true;
  }
  of->detach(*this, failed);
}

void core::begin_launch(run_state& of) {
  if (all.direct) all.direct->wake();
  monitor_->kernel_launched();
  const std::lock_guard hold(lock_);
  of.drained = false;
}

void core::end_launches(run_state& of) {
  const std::lock_guard hold(lock_);
  of.drained = true;
  settle_if_idle();
}

// With lock_ held, so that no kernel is launched meanwhile: the device would wait for it.
void core::settle_if_idle() {
  if (ended_ || failed_ || !std::all_of(runs_.begin(), runs_.end(), [](run_state* one) { return one->drained.load(); }))
    return;
  all.maps.settle();
}

// The kernels of all runs that may have some under way, the last run first.
std::vector<std::shared_ptr<launches>> core::kernels_of_runs() {
  const std::lock_guard hold(lock_);
  std::vector<std::shared_ptr<launches>> found;
  for (auto one = runs_.rbegin(); one != runs_.rend(); ++one) {
    if (!(*one)->drained) found.push_back((*one)->kernels);
  }
  return found;
}

void core::drain() {
  std::vector<std::shared_ptr<run_state>> now;  // without those that another thread ends, which waits for them
  {
    const std::lock_guard hold(lock_);
    now.reserve(runs_.size());
    for (run_state* one : runs_)
      if (auto held = one->weak_from_this().lock()) now.push_back(std::move(held));
  }
  long_drains::drain as(drains_, "drain() of the runtime");
  for (const auto& one : now) {
    if (!one->drained) wait_for_end(*one, as);
  }
}

void core::wait_for_end(run_state& of, const char* what) {
  long_drains::drain as(drains_, what);
  wait_for_end(of, as);
}

void core::wait_for_end(run_state& of, long_drains::drain& as) {
  as.wait_for(&of);
  of.kernels->wait();
  wait_for_calls(of, as);
  as.wait_for(nullptr);
}

// The producers' tails say how many requests the kernels published. A dequeued request is counted as in flight until it
// completes. The wait has no bound: only Linux ends a call, or the end of the runtime cancels it.
void core::wait_for_calls(run_state& of, long_drains::drain& as) {
  const std::lock_guard alone(of.looking);
  static_assert(offsetof(producer_state, tail) == 0 && offsetof(producer_state, grids) == 20);
  all.on->load_words(of.producers[0].data(), all.memory.where().producers, 3, all.memory.queues(),
                     sizeof(producer_state));
  const auto finished = [&] {
    u64 calls = 0;
    for (u32 s = 0; s < of.producers.size(); ++s) {
      const u64 taken = all.queues[s].taken_so_far();
      const u64 reserved = sequence_of(of.producers[s][0]);
      if (taken < reserved) calls += reserved - taken;
    }
    if (calls == 0) calls = all.in_flight.under_way(of.where.run);  // a request is counted there before it is dequeued
    const bool submitted = calls == 0 && all.direct && !all.direct->are_finished(of.where.run);
    as.wait_for_calls(calls, submitted);
    return calls == 0 && !submitted;
  };
  for (u32 looks = 0; !finished() && !all.stopping.load(std::memory_order_acquire); ++looks) {
    if (looks > 20) std::this_thread::sleep_for(std::chrono::microseconds(looks > 1000 ? 500 : 20));
  }
  if (all.direct) all.in_flight.add_posted(all.direct->posted_since(of.where.run));
  if (of.producers[0][2] >> 32 != 0) try {
      grid_check_.look_over(of.where.run);
    } catch (const std::bad_alloc&) {
      std::fputs("genesys: no memory to check that all blocks of a grid made the same calls\n", stderr);
    }
}

// Of all runs, also detached ones. `under_way` if any run has a kernel under way, else `unknown` if any is unknown.
progress core::kernels() {
  const std::lock_guard hold(lock_);
  progress all_of_them = failed_ ? progress::unknown : progress::ended;
  for (run_state* one : runs_) {
    const progress now = one->drained ? progress::ended : one->kernels->look();
    if (now == progress::under_way) return now;
    if (now == progress::unknown) all_of_them = now;
  }
  return all_of_them;
}

std::string core::describe() const {
  return all.on->describe() + "; " + std::to_string(all.chosen.workers) + " workers, " +
         std::to_string(all.memory.queues()) + " queues of " + std::to_string(all.chosen.slots_per_queue) + " slots, " +
         std::to_string(all.memory.pinned_bytes() >> 20) + " MiB pinned; executor " + by_.chosen +
         (all.direct
              ? ", " + std::to_string(all.direct->size()) + (all.direct->size() == 1 ? " ring of " : " rings of ") +
                    std::to_string(all.chosen.ring_entries) + " entries"
              : std::string()) +
         "; wakeup " + monitor_->describe_wakeup() + "; policy " + all.rules.describe();
}

}  // namespace genesys::detail
