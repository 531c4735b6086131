// SPDX-License-Identifier: Apache-2.0
// Makes stacks and switches between them, with Boost.Context's jump. Runs on the carriers' OS threads.
#include "target/cpu/fiber.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "target/cpu/regions.h"

namespace genesys::detail::cpu {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constinit thread_local carrier_link* this_carrier = nullptr;
constinit thread_local std::atomic<const thread_identity*> current_identity = &no_identity;

namespace {

constexpr std::uint64_t canary = 0x5ac0'ffee'dead'57acu;
constexpr std::size_t canary_words = 8;
// Stacks begin at different offsets. Otherwise the tops of all stacks would share a few sets of the cache.
constexpr std::size_t colours = 32, colour_bytes = 192;

// Runs one errand, on the janitor.
void run_errand(const carrier_link& here) {
  errand* const work = here.errand_work;
  work(here.errand_a, here.errand_b);
}

// The bottom frame of each stack. It runs one fiber after another, and ends when a jump brings no fiber (~stack_pool).
void stand(transfer_t come) {
  carrier_link& here = *this_carrier;
  void* kept = nullptr;
  for (;;) {
    sanitizers::arrive(kept);
    here.back = come.fctx;
    if (come.data == nullptr) break;
    fiber& thread = *static_cast<fiber*>(come.data);
    thread.home ? run_kernel_thread(thread) : run_errand(here);
    thread.asked = request::leave;
    void* const back = here.back;
    sanitizers::leave(here.own, &kept, false);
    come = jump_fcontext(back, nullptr);
  }
  void* const back = here.back;
  sanitizers::leave(here.own, nullptr, true);  // ordered: the carrier may be destroyed next
  jump_fcontext(back, nullptr);
  std::abort();
}

}  // namespace

void report_overflow(const fiber& f) {
  char text[384];
  const int bytes = std::snprintf(
      text, sizeof text,
      "genesys: stack overflow: %s ran past the end of its stack of %zu KiB; options.stack_bytes sets how "
      "large the stacks are\n",
      describe(f).text, f.ground->bytes / 1024);
  if (write(STDERR_FILENO, text, static_cast<std::size_t>(bytes)) < 0) std::perror("genesys: stack overflow");
  std::abort();
}

void catch_overflows() {
  struct sigaction old;
  if (sigaction(SIGSEGV, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL) return;
  struct sigaction ours = {};
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ours.sa_sigaction = [](int, siginfo_t* info, void*) {
    const fiber* const running = this_carrier ? static_cast<fiber*>(this_carrier->running) : nullptr;
    const bool below = running && region_of(info->si_addr) == region::private_ && info->si_addr < running->low;
    if (below) report_overflow(*running);
    signal(SIGSEGV, SIG_DFL);  // the fault happens again, and ends the process
  };
  sigaction(SIGSEGV, &ours, nullptr);
}

const char* name_of(request r) {
  static constexpr const char* names[] = {"leave",     "pause",  "sync_block", "sync_block_count",
                                          "sync_warp", "ballot", "shuffle"};
  return names[static_cast<unsigned>(r)];
}

bool stack::intact() const noexcept {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(low);
  return std::all_of(words, words + canary_words, [](std::uint64_t word) { return word == canary; });
}

void report_memory_wanted() {
  static std::atomic<bool> returned{false};
  if (returned.exchange(true, std::memory_order_relaxed)) return;
  std::fputs(
      "genesys: Linux gives the CPU device no memory for more threads, so these threads wait: "
      "options.resident_threads_max, options.stack_bytes, ulimit -v and vm.max_map_count limit the memory\n",
      stderr);
}

stack_pool::stack_pool(std::size_t stack_bytes, std::size_t idle_min)
    : stack_bytes_(stack_bytes), stacks_per_slab_(stacks_bytes_per_slab / stack_bytes), idle_min_(idle_min) {}

stack* stack_pool::make() {
  const std::size_t in_slab = stacks_.size() % stacks_per_slab_;
  if (in_slab == 0 && slabs_.size() * stacks_per_slab_ == stacks_.size()) {
    slabs_.reserve(slabs_.size() + 1);
    std::byte* const slab = regions::take_stack_slab();
    if (slab == nullptr) return nullptr;
    slabs_.push_back(slab);
  }
  std::byte* const low = slabs_.back() + stack_guard_bytes + in_slab * stack_bytes_;
  std::fill_n(reinterpret_cast<std::uint64_t*>(low), canary_words, canary);
  const std::size_t bytes = stack_bytes_ - stacks_.size() % colours * colour_bytes;
  stack& made =
      stacks_.emplace_back(stack{low, make_fcontext(low + bytes, bytes, stand), {low, bytes, nullptr}, stack_bytes_});
  sanitizers::open_fiber(made.note);
  return &made;
}

stack* stack_pool::take() {
  if (idle_count_ <= idle_min_) {
    try {
      if (stack* made = make()) return made;
    } catch (const std::exception&) {  // no memory of any kind
    }
    if (idle_count_ == 0) {
      report_memory_wanted();
      return nullptr;
    }
  }
  stack* const taken = idle_;
  idle_ = taken->next;
  if (idle_ == nullptr) last_idle_ = nullptr;
  --idle_count_;
  return taken;
}

void run_apart(carrier_link& here, errand* work, void* a, void* b) {
  // Passes the work in `here`. The scheduler goes on using its own stack, so the janitor must not touch that.
  here.errand_work = work;
  here.errand_a = a;
  here.errand_b = b;
  while (give_turn(here, here.janitor, *here.janitor_stacks) != request::leave) {
  }
  here.running = nullptr;
}

stack_pool::~stack_pool() {
  for (stack& each : stacks_) {
    void* const to = each.context;
    void* kept = nullptr;
    sanitizers::leave(each.note, &kept, false);
    jump_fcontext(to, nullptr);
    sanitizers::arrive(kept);
    sanitizers::close_fiber(each.note);
  }
  for (std::byte* slab : slabs_) regions::give_stack_slab(slab);
}

}  // namespace genesys::detail::cpu
