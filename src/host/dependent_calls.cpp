// SPDX-License-Identifier: Apache-2.0
#include "host/dependent_calls.h"

#include <cerrno>
#include <iterator>
#include <utility>

#include "genesys/detail/target/assert.h"
#include "host/completion_writer.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr int came_bits = 40;

constexpr u64 first_key(u32 completion_slot) { return u64{completion_slot} << came_bits; }
constexpr u32 slot_of(u64 key) { return static_cast<u32>(key >> came_bits); }

}  // namespace

dependent_calls::dependent_calls(const device_context& a, const completion_writer& to, ready_calls& ready, u32 held_max)
    : completion_slots_(a.completion_slots),
      first_(a.groups * slots_in_group),
      end_(a.groups * (1 + a.ticket_groups) * slots_in_group),
      completions_(to),
      ready_(ready),
      held_max_(held_max) {}

// Whether the earlier call's completion slot holds its completion.
bool dependent_calls::shows(const request& call) const {
  const u64 completion_slot = std::atomic_ref<u64>(completion_slots_[earlier_slot(call)].word)
                                  .load(std::memory_order_seq_cst);  // pairs with S6
  return phase_of(completion_slot) == earlier_phase(call);
}

dependent_calls::seen dependent_calls::look(const request& call) noexcept try {
  constexpr seen make{verdict::make, 0};
  const u32 completion_slot = earlier_slot(call);
  // The GPU wrote the request, so it may hold anything. Such a call would wait for a completion that never comes.
  if (completion_slot < first_ || completion_slot >= end_ || !completions_.is_sound(call) || shows(call)) return make;
  part& into = at(completion_slot);
  const std::lock_guard hold(into.lock);
  if (canceled_.load(std::memory_order_relaxed)) return make;
  if (count_.load(std::memory_order_relaxed) >= held_max_) return {verdict::refuse, 0};
  const u64 key = first_key(completion_slot) | (into.came++ & (first_key(1) - 1));
  const auto one = into.calls.emplace(key, parked_call{call, now_ns(), {}, true, true, false}).first;
  count_.fetch_add(1, std::memory_order_relaxed);
  // F1. Pairs with any(): a thread that writes the completion after F2 read the slot sees that a dependent is held.
  into.held.store(static_cast<u32>(into.calls.size()), std::memory_order_seq_cst);
  if (!shows(call)) return {verdict::hold, key};  // F2
  take_out(into, one);
  return make;
} catch (...) {  // no memory
  return {verdict::refuse, 0};
}

bool dependent_calls::keep(u64 key) {
  part& in = at(slot_of(key));
  const std::lock_guard hold(in.lock);
  const auto one = in.calls.find(key);
  GENESYS_ASSERT(one != in.calls.end() && one->second.untaken, "a dependent call is kept once");
  one->second.untaken = false;
  if (!one->second.due) return true;
  take_out(in, one);
  return false;
}

void dependent_calls::forget(u64 key) {
  part& in = at(slot_of(key));
  const std::lock_guard hold(in.lock);
  GENESYS_ASSERT(in.calls.contains(key), "a dependent call is kept or forgotten, not both");
  take_out(in, in.calls.find(key));
}

void dependent_calls::refuse(const request& call) const { completions_.complete(call, {.value = -EAGAIN}); }

void dependent_calls::finished(u32 completion_slot) {
  parked_calls due;
  {
    const std::lock_guard hold(at(completion_slot).lock);
    collect(completion_slot, false, due);
  }
  let_go(due);
}

// With the lock held. `all`: the completion was written under this lock, so every dependent on the slot is due.
// Otherwise the slot's next call may be under way and have dependents too: only those that the slot's phase releases
// are due.
void dependent_calls::collect(u32 completion_slot, bool all, parked_calls& due) {
  part& from = at(completion_slot);
  for (auto one = from.calls.lower_bound(first_key(completion_slot));
       one != from.calls.end() && slot_of(one->first) == completion_slot;) {
    const auto next = std::next(one);
    if (all || shows(one->second.call)) {
      if (one->second.untaken) {
        one->second.due = true;  // keep() returns false
      } else {
        due.insert(take_out(from, one));
      }
    }
    one = next;
  }
}

// With the lock held.
parked_calls::node_type dependent_calls::take_out(part& from, parked_calls::iterator one) {
  auto out = from.calls.extract(one);
  from.held.store(static_cast<u32>(from.calls.size()), std::memory_order_relaxed);
  count_.fetch_sub(1, std::memory_order_relaxed);
  return out;
}

void dependent_calls::let_go(parked_calls& due) {
  while (!due.empty()) {
    ready_.push(due.extract(due.begin()));
  }
}

void dependent_calls::cancel() {
  canceled_.store(true, std::memory_order_relaxed);
  for (part& in : parts_) {
    parked_calls out;
    {
      const std::lock_guard hold(in.lock);  // a later look() finds `canceled_`
      for (auto one = in.calls.begin(); one != in.calls.end();) {
        const auto next = std::next(one);
        if (one->second.untaken) {
          one->second.due = true;
        } else {
          out.insert(take_out(in, one));
        }
        one = next;
      }
    }
    // Not under the lock: these calls may have dependents themselves.
    for (const auto& [key, waiting] : out) completions_.complete(waiting.call, {.value = -ECANCELED});
  }
}

std::vector<dependent_calls::entry> dependent_calls::held() const {
  std::vector<entry> all;
  for (const part& in : parts_) {
    const std::lock_guard hold(in.lock);
    for (const auto& [key, waiting] : in.calls) {
      if (!waiting.untaken) all.push_back({waiting.call, waiting.since_ns});
    }
  }
  return all;
}

}  // namespace genesys::detail
