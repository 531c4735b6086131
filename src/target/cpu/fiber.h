// SPDX-License-Identifier: Apache-2.0
// Fibers and their stacks. A fiber is one thread of a kernel; it borrows a stack from its first turn to its end. The
// scheduler of one OS thread (the carrier) uses them; the fiber itself, on the same OS thread, calls the functions that
// say so.
//
// The fiber stores its request in relaxed atomics of its control block and jumps to the scheduler. Only the scheduler
// uses containers. Both run on one OS thread, so these accesses need no order. They must not have one either: to
// ThreadSanitizer it would order lanes that the kernel itself does not order, and hide a race (sanitizers.h).
#pragma once

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "genesys/detail/target/cpu.h"
#include "target/cpu/sanitizers.h"

namespace genesys::detail::cpu {

struct resident_block;

/// A value that fiber, scheduler and monitor exchange, with no order.
template <class T>
class relaxed {
 public:
  constexpr relaxed(T value = T()) noexcept : value_(value) {}
  relaxed& operator=(T value) noexcept {
    value_.store(value, std::memory_order_relaxed);
    return *this;
  }
  operator T() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<T> value_;
};

/// A fiber's request to the scheduler at the end of its turn. From sync_block on the fiber waits for other fibers.
enum class request : std::uint8_t { leave, pause, sync_block, count_block, sync_warp, ballot, shuffle };
constexpr bool is_of_block(request r) { return r == request::sync_block || r == request::count_block; }
const char* name_of(request);

struct stack {
  std::byte* low;
  void* context;  // where to jump for a new thread
  sanitizers::stack_note note;
  std::size_t bytes;      // from `low` on
  stack* next = nullptr;  // the next idle one

  /// Whether the pattern at its low end is unchanged, that is, the fiber has not written past it.
  bool intact() const noexcept;
};

/// A thread of a kernel from its first turn to its end, as its own stack holds it: its identity, and for reports the
/// call that it makes as one of a team (cpu::kernel_call). The call is valid while fiber::call_mark is not 0.
struct kernel_thread : thread_identity {
  explicit kernel_thread(const thread_identity& me) : thread_identity(me) {}
  relaxed<std::uint64_t> number;
  relaxed<std::uint64_t> args[6];
  relaxed<unsigned char> scope, order, mode;
  relaxed<bool> resumes;
  relaxed<bool> leaves;  // its block was aborted, and its stack is being unwound
};

/// The control block. It is one cache line, because a turn touches little else.
struct alignas(64) fiber {
  // Only the scheduler uses these.
  void* context = nullptr;  // where to jump; null before its first turn
  stack* ground = nullptr;
  std::byte* low = nullptr;  // ground->low

  // The scheduler sets these before the first turn.
  relaxed<resident_block*> home;
  relaxed<std::uint32_t> rank;  // in the block

  // The fiber sets these. The scheduler stores the result of a rendezvous in `value`.
  relaxed<std::uint32_t> call_mark;  // of its team's call: equal in all threads of the team; 0: no such call
  relaxed<kernel_thread*> identity;
  relaxed<std::uint32_t> lanes;
  relaxed<request> asked;
  relaxed<std::uint8_t> source_lane;
  relaxed<std::uint64_t> value;
};
static_assert(sizeof(fiber) == 64);

class stack_pool;

/// Thrown through the kernel by a thread whose block was aborted.
struct left_early {};

/// The part of a carrier that its fibers, `launches` and the monitor use.
struct carrier_link {
  unsigned index = 0;            // of the device's carriers
  relaxed<fiber*> running;       // null while no thread of a kernel has its turn
  relaxed<void*> back;           // where the running fiber jumps to
  relaxed<std::uint64_t> turns;  // given so far
  sanitizers::stack_note own;    // the OS thread's own stack

  // A fiber that is no thread of a kernel: see run_apart().
  fiber janitor;
  relaxed<void (*)(void*, void*)> errand_work;
  relaxed<void*> errand_a, errand_b;
  stack_pool* janitor_stacks = nullptr;
};

/// The calling OS thread's carrier; null elsewhere.
extern constinit thread_local carrier_link* this_carrier;

/// The stacks of one carrier.
class stack_pool {
 public:
  /// ThreadSanitizer takes two threads that use one stack for the same thread. Under it `idle_min` stacks stay idle, so
  /// that a stack is reused as late as possible.
  stack_pool(std::size_t stack_bytes, std::size_t idle_min);
  stack_pool(const stack_pool&) = delete;
  ~stack_pool();  // on the carrier's OS thread, when all of them are idle

  stack* take();  // null when there is no memory
  void give(stack* s) {
    s->next = nullptr;
    if constexpr (sanitizers::thread) {
      (last_idle_ == nullptr ? idle_ : last_idle_->next) = s;
      last_idle_ = s;
    } else {  // the last one is next, because the cache has it
      s->next = idle_;
      idle_ = s;
    }
    ++idle_count_;
  }

 private:
  stack* make();
  const std::size_t stack_bytes_, stacks_per_slab_, idle_min_;
  std::vector<std::byte*> slabs_;
  std::deque<stack> stacks_;
  stack* idle_ = nullptr;
  stack* last_idle_ = nullptr;
  std::size_t idle_count_ = 0;
};

/// Prints one line, at the first call only: the device waits for memory that Linux does not give.
void report_memory_wanted();

// A stack pointer this near to the low end counts as an overflow, too: the next call would overflow.
inline constexpr std::size_t stack_margin_bytes = 256;
// The scheduler checks the low end after one in this many turns that end in pause(), and after all other turns.
inline constexpr std::uint64_t turns_per_look = 16;
[[noreturn]] void report_overflow(const fiber&);
/// Sets a handler for SIGSEGV that reports overflows into the guard below a slab of stacks, too. Does nothing if the
/// program, or a sanitizer, has a handler of its own. The handler needs an alternate signal stack on each carrier.
void catch_overflows();
inline constexpr std::size_t signal_stack_bytes = 64 * 1024;

/// Scheduler's side: gives the fiber a turn, and returns its request at the end of it. The result is `pause` also if
/// there is no stack for the first turn. Aborts the process with a message if the fiber ran past the end of its stack.
inline request give_turn(carrier_link& here, fiber& f, stack_pool& stacks) {
  const bool first = f.context == nullptr;
  if (first) {
    f.ground = stacks.take();
    if (f.ground == nullptr) return request::pause;
    f.low = f.ground->low;
    f.context = f.ground->context;
  } else {
    current_identity.store(static_cast<kernel_thread*>(f.identity), std::memory_order_relaxed);
  }
  const std::uint64_t turn = here.turns + 1;
  here.turns = turn;
  here.running = &f;

  void* const to = f.context;
  void* kept = nullptr;
  sanitizers::leave(f.ground->note, &kept, first);
  const auto come = boost::context::detail::jump_fcontext(to, &f);
  sanitizers::arrive(kept);

  f.context = come.fctx;
  const request asked = f.asked;
  const bool look = asked != request::pause || turn % turns_per_look == 0;
  if (come.fctx < f.low + stack_margin_bytes || (look && !f.ground->intact())) report_overflow(f);
  if (asked == request::leave) {
    f.ground->context = come.fctx;
    f.context = nullptr;
    stacks.give(f.ground);
  }
  return asked;
}

/// Fiber's side: ends the turn; returns when the next one begins.
inline void end_turn(carrier_link& here) {
  void* const back = here.back;
  void* kept = nullptr;
  sanitizers::leave(here.own, &kept, false);
  const auto come = boost::context::detail::jump_fcontext(back, nullptr);
  sanitizers::arrive(kept);
  here.back = come.fctx;
}

/// Scheduler's side: runs work(a, b) to its end on the janitor. ThreadSanitizer orders this fiber after the scheduler,
/// but not the scheduler after this fiber. So the work may come after threads of a kernel. The scheduler itself must
/// not: the threads that it begins later would come after them, too. It does not touch again what the janitor has
/// touched, so the work gets only two plain words.
using errand = void(void* a, void* b);
void run_apart(carrier_link&, errand* work, void* a, void* b);

/// All that a fiber does between its first turn and its end (kernel_side.cpp).
void run_kernel_thread(fiber&);

/// "thread (1,0,0) of block (7,0,0), launch 3"; the launch must still be there. Takes no memory: a signal handler uses
/// it.
struct thread_name {
  char text[160];
};
thread_name describe(const fiber&);

}  // namespace genesys::detail::cpu
