// SPDX-License-Identifier: Apache-2.0
// C5: waits for the completion of a request. Called by lanes that run together. Each leaves when it has its own
// completion, or when all have theirs.
#pragma once

#include <cerrno>
#include <type_traits>

#include "genesys/detail/queue/block_waiter.h"
#include "genesys/detail/queue/completion_line.h"
#include "genesys/detail/queue/completion_slots.h"

namespace genesys::detail::queue {

struct completion {
  i64 value;               // Linux's own: the result, or -errno
  bool again;              // Linux was not asked: the descriptor is not ready, wait for it first
  u64 inline_data;         // only of a call that has it
  completion_extra extra;  // only where the completion has it
};

// The two words of a completion slot, as a lane looked at them.
struct completion_words {
  u64 word, data;

  // Whether both are of the completion with this phase.
  GENESYS_KERNEL bool have_phase(u32 phase) const { return phase_of(word) == phase && phase_of(data) == phase; }
};

// No completion will come. (No completion slot holds this value: with `again` the value is a descriptor.)
constexpr u64 never_completed = completion_wide | completion_again | completion_value_mask;

// A look at a completion slot: one load of both words, which may be of different completions. Pairs with S6.
GENESYS_KERNEL completion_words look_at(const completion_slot& slot) {
  completion_words seen;
#if GENESYS_ON_CUDA
  cuda_target::acquire_pair_system(&slot.word, seen.word, seen.data);
#else
  seen.word = global_atomic<u64, thread_scope::system>(const_cast<u64&>(slot.word)).load(order::acquire);
  seen.data = global_atomic<u64, thread_scope::system>(const_cast<u64&>(slot.data)).load(order::relaxed);
#endif
  return seen;
}

// Keeps lanes together that submitted together, if that costs little. Lanes that have their completion wait for the
// others as long again as they waited themselves, but at most some microseconds: the others may wait for what these
// lanes do next. (Lanes that part make separate calls from then on, at 32 times the cost.)
struct reconvergence {
  u32 lanes;  // lanes that have not left
  u32 ready;  // those of them that have their completion
  u64 limit_ns;

  static constexpr u64 no_limit = ~u64{0};
  GENESYS_KERNEL explicit reconvergence(u32 all) : lanes(all), ready(0), limit_ns(no_limit) {}

  // After a look: whether this lane leaves.
  GENESYS_KERNEL bool may_leave(bool done, const backoff& waiting) {
    constexpr u64 grace_max_ns = 16'000;
    ready = vote(lanes, done);
    if (ready == lanes) return true;
    if (ready == 0) return false;
    const u64 so_far = waiting.waited_ns();
    if (limit_ns == no_limit) limit_ns = so_far + (so_far < grace_max_ns ? so_far : grace_max_ns) + 4000;
    if (so_far >= limit_ns) {
      if (done) return true;
      lanes &= ~ready;
      limit_ns = no_limit;
    }
    return false;
  }
};

// C5 at a block waiter: the lane looks, and is suspended between looks.
GENESYS_KERNEL completion_words wait_in_block_waiter(const queue_context& a, u32 completion_slot, u32 phase, u32 lanes,
                                                     u32 block_waiter_at) {
  backoff waiting;
  reconvergence together(lanes);
  block_wait here(block_waiter_at, completion_slot, phase);
  for (;;) {
    const completion_words seen = look_at(a.completion_slots[completion_slot]);
    const bool done = seen.have_phase(phase);
    if (together.may_leave(done, waiting)) {
      if (together.ready == together.lanes) here.leave(together.lanes);
      return seen;
    }
    const bool ended = !here.wait(a, together.lanes, done, waiting);
    if (GENESYS_ON_CUDA ? ballot(together.lanes, ended) != 0 : ended) {  // all leave, or none
      here.leave(together.lanes);
      return done ? seen : completion_words{never_completed, 0};
    }
  }
}

// Which part of the time waited so far the next pause takes: one in so many. While the link is idle, looks cost others
// nothing, and pauses are short. `looked`: the multiprocessor's cycles before the last look.
GENESYS_KERNEL u32 pause_after(u32 looked, u32 lanes) {
  constexpr u32 idle_link_cycles = 3200, seldom = 4, often = 16;
  if (!GENESYS_ON_CUDA) return seldom;
  const u32 part = cycles() - looked < idle_link_cycles ? often : seldom;
  return shuffle(lanes, part, lowest_bit(lanes));  // the same history in all lanes
}

// Looks without a pause before the wait strategy begins, for fast calls. Not on the CPU device.
constexpr int looks_at_once = GENESYS_ON_CUDA ? 4 : 0;

// C5 after the first looks: waits by the wait strategy that `waits` names for the scope. (If lanes have different ones,
// all use the lowest lane's.)
template <bool with_block_waiter>
GENESYS_KERNEL_OUTLINE completion_words wait_longer(queue_context a, u32 completion_slot, u32 phase,
                                                    reconvergence together, u32 waits, u32 scope) {
  backoff waiting;
  for (int looks = 0; looks < looks_at_once; ++looks) waiting.look();
  u32 how = strategy_of(waits, scope);
  if (GENESYS_ON_CUDA) how = shuffle(together.lanes, how, lowest_bit(together.lanes));
  if constexpr (with_block_waiter) {
    if (how >= in_block_waiter) return wait_in_block_waiter(a, completion_slot, phase, together.lanes, how);
  }
  completion_words seen{};
  bool done = false;
  for (;;) {
    const u32 looked = cycles();
    if (!done) {
      seen = look_at(a.completion_slots[completion_slot]);
      done = seen.have_phase(phase);
    }
    if (together.may_leave(done, waiting)) return seen;
    bool ended = !(how == spinning ? waiting.spin(a) : waiting.wait(a, pause_after(looked, together.lanes)));
    if (GENESYS_ON_CUDA) ended = ballot(together.lanes, ended) != 0;  // all leave, or none: the next vote needs all
    if (ended) return done ? seen : completion_words{never_completed, 0};
  }
}

// C5. Waits until the completion slot shows the phase. `with_block_waiter`: the kernel may have a block waiter. Other
// kernels do not contain the code for it. `in_vain`: gets the number of looks before the last one, at most
// `looks_at_once`. `line`: looks at the line beside the slot, too.
template <bool with_block_waiter = false, class Line = const no_line>
GENESYS_KERNEL completion_words wait_for_completion(const queue_context& a, u32 completion_slot, u32 phase, u32 lanes,
                                                    u32 waits = 0, u32 scope = 0, int* in_vain = nullptr,
                                                    Line& line = no_line{}) {
  backoff waiting;
  reconvergence together(lanes);
  completion_words seen{};
  bool done = false;
  GENESYS_NO_UNROLL
  for (int looks = 0; looks < looks_at_once; ++looks) {
    if (!done) {
      line.look(a, completion_slot);
      seen = look_at(a.completion_slots[completion_slot]);
      done = seen.have_phase(phase);
    }
    if (in_vain != nullptr) *in_vain = looks;
    if (together.may_leave(done, waiting)) return seen;
    waiting.look();
  }
  if (in_vain != nullptr) *in_vain = looks_at_once;
  return wait_longer<with_block_waiter>(a, completion_slot, phase, together, waits, scope);
}

// C5 and C6: reads the completion, and releases its slot.
GENESYS_KERNEL completion take_completion(const queue_context& a, u32 completion_slot, const completion_words& seen,
                                          bool system_call) {
  const u64 word = seen.word;
  completion result{completion_value(word), (word & completion_again) != 0, inline_data_of(word, seen.data), {}};
  if ((word & completion_wide) != 0) {
    result.extra = {global_atomic<u64, thread_scope::system>(a.extras[completion_slot].first).load(order::relaxed),
                    global_atomic<u64, thread_scope::system>(a.extras[completion_slot].second).load(order::relaxed)};
    if (system_call) result.value = static_cast<i64>(result.extra.first);
    fence<thread_scope::device>();  // both are read before the next owner's request can change them
  }
#if !GENESYS_WITHOUT_TRACING
  // The host reads it when it completes the next call at the slot.
  if ((word & completion_recorded) != 0)
    global_atomic<u64, thread_scope::system>(a.seen[completion_slot]).store(clock_ns(), order::relaxed);
#endif
  release_slot(a, completion_slot);
  return result;
}

}  // namespace genesys::detail::queue
