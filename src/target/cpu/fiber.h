// SPDX-License-Identifier: Apache-2.0
// Fibers and their stacks. A fiber is one thread of a kernel; it borrows a stack from its first turn to its end. Used
// by the scheduler of one OS thread (the carrier) and, where it says so, by the fiber itself, on the same OS thread.
//
// The fiber tells the scheduler what it wants through relaxed atomics of its control block and jumps to it; all
// containers are the scheduler's alone. Both run on one OS thread, so nothing needs ordering there, and nothing may be
// ordered: a lane must not see more of another than the kernel's own synchronisation shows it (sanitizers.h).
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

/// What a fiber asks of the scheduler when it jumps there. From sync_block on it waits for others.
enum class request : std::uint8_t { leave, pause, sync_block, count_block, sync_warp, ballot, shuffle };
constexpr bool is_of_block(request r) { return r == request::sync_block || r == request::count_block; }
const char* name_of(request);

struct stack {
  std::byte* low;
  void* context;  // where to jump for a new thread
  sanitizers::stack_note note;
  std::size_t bytes;      // from `low` on
  stack* next = nullptr;  // of the idle ones

  /// Whether the pattern at its low end is whole, that is, nobody wrote past it.
  bool intact() const noexcept;
};

/// A thread from its first turn to its end, on its own stack: who it is, and the call that it makes together with
/// others (cpu::kernel_call), for reports: valid while fiber::call_mark is not 0.
struct kernel_thread : thread_identity {
  explicit kernel_thread(const thread_identity& me) : thread_identity(me) {}
  relaxed<std::uint64_t> number;
  relaxed<std::uint64_t> args[6];
  relaxed<unsigned char> scope, order, mode;
  relaxed<bool> resumes;
};

/// The control block: one line of the cache, for a turn touches little else.
struct alignas(64) fiber {
  // The scheduler's.
  void* context = nullptr;  // where to jump; null before its first turn
  stack* ground = nullptr;
  std::byte* low = nullptr;  // ground->low

  // Set by the scheduler before the first turn.
  relaxed<resident_block*> home;
  relaxed<std::uint32_t> rank;  // in the block

  // Set by the fiber. The scheduler puts the answer of a rendezvous into `value`.
  relaxed<std::uint32_t> call_mark;  // of the call that it makes together with others: equal in all of them; 0: none
  relaxed<kernel_thread*> identity;
  relaxed<std::uint32_t> lanes;
  relaxed<request> asked;
  relaxed<std::uint8_t> source_lane;
  relaxed<std::uint64_t> value;
};
static_assert(sizeof(fiber) == 64);

class stack_pool;

/// The part of a carrier that its fibers, the launches and the monitor know.
struct carrier_link {
  unsigned index = 0;            // of the device's carriers
  relaxed<fiber*> running;       // null while no thread of a kernel has its turn
  relaxed<void*> back;           // where the running fiber jumps to
  relaxed<std::uint64_t> turns;  // given so far
  sanitizers::stack_note own;    // the OS thread's own stack

  // No kernel's thread: see run_apart().
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
  /// Under ThreadSanitizer, to which two threads on one stack are the same thread, `idle_min` stacks are kept from use:
  /// the longer ago the first of the two, the better.
  stack_pool(std::size_t stack_bytes, std::size_t idle_min);
  stack_pool(const stack_pool&) = delete;
  ~stack_pool();  // on the carrier's OS thread, when all of them are idle

  stack* take();  // null when there is no memory
  void give(stack* s) {
    s->next = nullptr;
    if constexpr (sanitizers::thread) {
      (last_idle_ == nullptr ? idle_ : last_idle_->next) = s;
      last_idle_ = s;
    } else {  // the one that is in the cache is next
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

/// Says, once, that the device waits for memory that the system does not give it just now.
void report_memory_wanted();

// A stack pointer this near to the low end is an overflow too: the next call would have been one.
inline constexpr std::size_t stack_margin_bytes = 256;
// The low end is looked at after each of this many turns that end in pause(), and after all others.
inline constexpr std::uint64_t turns_per_look = 16;
[[noreturn]] void report_overflow(const fiber&);
/// Reports also those that run into the guard below a slab of stacks. Does nothing if the program, or a sanitizer, has
/// a handler of its own for SIGSEGV. The carriers need an alternate signal stack for it.
void catch_overflows();
inline constexpr std::size_t signal_stack_bytes = 64 * 1024;

/// Scheduler's side: gives the fiber a turn and tells what it asks for at the end of it: a pause also where there is no
/// stack for its first turn. A fiber that ran past its stack's end aborts the process with a message.
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

/// Scheduler's side: runs work(a, b) to its end on the janitor, a fiber that comes after the scheduler but not the
/// other way round. For what comes after threads of a kernel, as the scheduler itself must not: it begins others. The
/// scheduler does not touch again what the janitor has touched; hence two plain words for the work.
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
