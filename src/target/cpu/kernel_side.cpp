// SPDX-License-Identifier: Apache-2.0
// The functions that a thread of a kernel calls (genesys/detail/target/cpu.h), and the thread itself from its first
// turn to its end. Runs on fibers.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "genesys/detail/wire/request.h"
#include "target/cpu/block.h"
#include "target/cpu/futex_word.h"
#include "target/cpu/launches.h"
#include "trace/decode.h"

namespace genesys::detail::cpu {
namespace {

std::atomic<call_observer*> observes{nullptr};

constexpr std::size_t object_alignment_min = 16, object_alignment_max = 256;

dims index_of_call(unsigned rank, const dims& extents) {
  return {rank % extents.x, rank / extents.x % extents.y, rank / extents.x / extents.y};
}

[[noreturn]] void misuse(const char* what, const std::string& why) {
  std::fprintf(stderr, "genesys: %s: %s\n", what, why.c_str());
  std::abort();
}

fiber& thread_that_calls(const char* what) {
  fiber* const running = this_carrier ? static_cast<fiber*>(this_carrier->running) : nullptr;
  if (running == nullptr) misuse(what, "called outside of a kernel");
  return *running;
}

// Ends the turn. If the block was aborted meanwhile, unwinds the thread's stack. A destructor that runs then does not
// wait for other threads.
void end_turn_unless_aborted(fiber& me) {
  kernel_thread& identity = *me.identity;
  if (identity.leaves) return;
  end_turn(*this_carrier);
  const resident_block& home = *me.home;
  if (!home.aborted) return;
  identity.leaves = true;
  throw left_early();
}

// Waits until the rendezvous is complete. Returns the scheduler's result.
std::uint64_t meet(request what, unsigned lanes, std::uint64_t value, unsigned source_lane) {
  fiber& me = thread_that_calls(name_of(what));
  if (!is_of_block(what) && !(lanes >> me.rank % warp_lanes & 1)) {
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", lanes);
    misuse(name_of(what), std::string(describe(me).text) + " is not among the lanes " + mask + " that it named");
  }
  me.lanes = lanes;
  me.value = value;
  me.source_lane = static_cast<std::uint8_t>(source_lane % warp_lanes);
  me.asked = what;
  end_turn_unless_aborted(me);
  return me.value;
}

// ThreadSanitizer must not see these writes: the first thread that asks for the object makes them on behalf of the
// block.
__attribute__((no_sanitize("thread"))) void fill_unseen(volatile std::byte* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) at[i] = std::byte{fresh_byte};
}

thread_identity identity_of(const fiber& f, const resident_block& block, const launch_state& launch) {
  thread_identity me;
  me.thread_rank = f.rank;
  me.block_rank = block.rank;
  me.thread_index = index_of_call(me.thread_rank, launch.block);
  me.block_index = index_of_call(me.block_rank, launch.grid);
  me.block_dims = launch.block;
  me.grid_dims = launch.grid;
  me.lane = me.thread_rank % warp_lanes;
  me.warp = me.thread_rank / warp_lanes;
  me.warp_hint = block.warps[me.warp].hint;
  me.launch = launch.number;
  return me;
}

void call_kernel(const fiber& f, const launch_state& launch) {
  try {
    launch.body();
    return;
  } catch (const left_early&) {
    return;
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "genesys: an exception left the kernel in %s: %s\n", describe(f).text, thrown.what());
  } catch (...) {
    std::fprintf(stderr, "genesys: an exception left the kernel in %s\n", describe(f).text);
  }
  std::terminate();
}

}  // namespace

void run_kernel_thread(fiber& f) {
  const resident_block& block = *f.home;
  launch_state& launch = *block.launch;
  sanitizers::acquire(launch.began);
  if constexpr (sanitizers::thread) sanitizers::name_fiber(describe(f).text);
  kernel_thread me(identity_of(f, block, launch));
  f.call_mark = 0;
  f.identity = &me;
  current_identity.store(&me, std::memory_order_relaxed);
  call_kernel(f, launch);
  sanitizers::release(launch.finished);
}

// The mark is a hash of what must be equal in all threads of the scope. Two different calls have the same mark with a
// probability of 1 in 4 billion.
void begin_call(const kernel_call& call) {
  if (!inside_kernel()) {
    misuse(trace::decode(call.number, call.args).c_str(),
           "called on the host; genesys::os makes calls in kernels only, which genesys::launch starts");
  }
  fiber& me = thread_that_calls("begin_call");
  if (call_observer* const observer = observes.load(std::memory_order_acquire)) observer->began(call);
  if (call.scope == static_cast<unsigned char>(scope_kind::thread)) return;  // such a call has no barrier
  kernel_thread& at = *me.identity;
  std::uint64_t hash =
      call.number << 8 | call.scope << 6 | call.order << 4 | call.mode << 2 | static_cast<unsigned>(call.resumes);
  for (unsigned i = 0; i < 6; ++i) {
    at.args[i] = call.args[i];
    const auto* const at_argument = reinterpret_cast<const void*>(call.args[i]);
    if (region_of(at_argument) != region::private_) hash ^= call.args[i];
    hash = (hash ^ hash >> 32) * 0x9e37'79b9'7f4a'7c15u;
  }
  at.number = call.number;
  at.scope = call.scope;
  at.order = call.order;
  at.mode = call.mode;
  at.resumes = call.resumes;
  const auto mark = static_cast<std::uint32_t>(hash >> 32);
  me.call_mark = mark == 0 ? 1 : mark;
}

void submitted_call() {
  if (call_observer* const observer = observes.load(std::memory_order_acquire)) observer->submitted();
}
void ended_call(std::int64_t result) {
  if (call_observer* const observer = observes.load(std::memory_order_acquire)) observer->ended(result);
}
void leave_call() { thread_that_calls("leave_call").call_mark = 0; }

void observe_calls(call_observer* observer) { observes.store(observer, std::memory_order_release); }

bool inside_kernel() noexcept { return this_carrier != nullptr && this_carrier->running != nullptr; }

void pause() {
  carrier_link* const here = this_carrier;
  fiber* const me = here ? static_cast<fiber*>(here->running) : nullptr;
  if (me == nullptr) {
    sched_yield();
    return;
  }
  me->asked = request::pause;
  if (me->home == nullptr) {
    end_turn(*here);  // the janitor
  } else {
    end_turn_unless_aborted(*me);
  }
}

void raise_interrupt(std::uint32_t* word) noexcept { raise_word(*word); }

std::uint64_t clock_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

void sync_block() { meet(request::sync_block, 0, 0, 0); }
int sync_block_count(bool predicate) { return static_cast<int>(meet(request::count_block, 0, predicate, 0)); }
unsigned active_lanes() { return 1u << self().lane; }
void sync_warp(unsigned lanes) { meet(request::sync_warp, lanes, 0, 0); }
unsigned ballot(unsigned lanes, bool predicate) {
  return static_cast<unsigned>(meet(request::ballot, lanes, predicate, 0));
}
std::uint64_t shuffle(unsigned lanes, std::uint64_t value, unsigned source_lane) {
  return meet(request::shuffle, lanes, value, source_lane);
}

void* dynamic_shared() {
  const resident_block& block = *thread_that_calls("dynamic_shared").home;
  return block.shared;
}

void* shared_static(const void* tag, std::size_t bytes) {
  const fiber& me = thread_that_calls("shared_static");
  resident_block& block = *me.home;
  const unsigned used = block.objects_used;
  for (unsigned i = 0; i < used; ++i) {
    if (block.objects[i].tag != tag) continue;
    if (block.objects[i].bytes != bytes)
      misuse("shared_static", "one tag with two sizes, in " + std::string(describe(me).text));
    return block.objects[i].place;
  }
  if (used == shared_objects_max)
    misuse("shared_static", "too many shared objects in " + std::string(describe(me).text));
  // The largest alignment that an object of this size can have.
  const std::size_t natural = bytes & -bytes;
  const std::size_t alignment = natural < object_alignment_min   ? object_alignment_min
                                : natural > object_alignment_max ? object_alignment_max
                                                                 : natural;
  const std::size_t at = (block.shared_used + alignment - 1) / alignment * alignment;
  if (bytes > shared_bytes_max || at > shared_bytes_max - bytes) {
    misuse("shared_static", "the block's shared memory of " + std::to_string(shared_bytes_max) +
                                " bytes, with what was asked for at the launch, is used up in " +
                                std::string(describe(me).text));
  }
  std::byte* const place = block.shared + at;
  fill_unseen(place, bytes);
  block.objects[used].tag = tag;
  block.objects[used].bytes = bytes;
  block.objects[used].place = place;
  block.objects_used = used + 1;
  block.shared_used = at + bytes;
  return place;
}

}  // namespace genesys::detail::cpu
