// SPDX-License-Identifier: Apache-2.0
#include "host/long_drains.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "host/core.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

std::string counted(u64 count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? " has" : "s have") + " not ended";
}

}  // namespace

long_drains::drain::drain(long_drains& among, const char* what) : among_(among), what_(what), since_ns_(now_ns()) {
  const std::lock_guard hold(among_.lock_);
  next_ = among_.first_;
  among_.first_ = this;
}

long_drains::drain::~drain() {
  const std::lock_guard hold(among_.lock_);
  drain** at = &among_.first_;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

void long_drains::drain::wait_for(run_state* of) {
  const std::lock_guard hold(among_.lock_);
  of_ = of;
  kernels_ended_.store(false, std::memory_order_relaxed);
}

void long_drains::drain::wait_for_calls(u64 calls, bool submitted) {
  calls_.store(calls, std::memory_order_relaxed);
  submitted_.store(submitted, std::memory_order_relaxed);
  kernels_ended_.store(true, std::memory_order_release);  // pairs with say
}

void long_drains::look(u64 now) {
  const std::lock_guard hold(lock_);
  if (first_ == nullptr) return;
  if (const u64 begun = begun_(); begun != begun_seen_) {
    begun_seen_ = begun;
    quiet_since_ns_ = now;
  }
  for (drain* one = first_; one != nullptr; one = one->next_) {
    const u64 since_ns = std::max(one->since_ns_, quiet_since_ns_);
    if (one->warned_ || one->of_ == nullptr || now < since_ns + u64{after_ms_} * 1'000'000) continue;
    say(*one, now);
    one->warned_ = true;
  }
}

// With the lock held.
void long_drains::say(const drain& one, u64 now) const {
  std::string state;
  if (one.kernels_ended_.load(std::memory_order_acquire)) {  // pairs with wait_for_calls
    const bool submitted = one.submitted_.load(std::memory_order_relaxed);
    state = "its kernels have ended, " + (submitted ? std::string("calls that they submitted themselves have not")
                                                    : counted(one.calls_.load(std::memory_order_relaxed), "call"));
  } else {
    const u64 kernels = one.of_->kernels->count();
    state = kernels != 0 ? counted(kernels, "kernel") : "its kernels have not ended";
    const u64 calls = calls_of_(one.of_->where.run);
    state += ", " + std::to_string(calls) + (calls == 1 ? " call is" : " calls are") + " under way";
  }
  std::fprintf(stderr, "genesys: %s has waited for %.1f s for run %u: %s; %s names them\n", one.what_,
               static_cast<double>(now - one.since_ns_) / 1e9, one.of_->where.run, state.c_str(), report_is_);
}

}  // namespace genesys::detail
