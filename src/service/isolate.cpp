// SPDX-License-Identifier: Apache-2.0
// The GPU's side of an isolated server: a child process, and the supervisor, a thread of the server that replaces it.
//
// R1 The side fails: it gets no requests and no launches any more.   R2 Kill the child, and wait until it is dead: it
// writes nothing any more.   R3 The side is lost. The threads that attend requests see it: a request without a
// completion is taken from its slot, and its twin answers.   R4 Start another child.   R5 Hold all completion slots, so
// no thread is between Q2 and Q7.   R6 Begin all memory again, as at the start of the server.   R7 The side is up;
// give the slots back.
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "service/child_launcher.h"
#include "service/core.h"
#include "target/start_thread.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

constexpr int wait_max_ms = 10'000;
constexpr u64 good_ns = 1'000'000'000;  // after such a time a failure is no longer one in a row

// Hands out the parts of shared memory, each in lines of its own.
class carver {
 public:
  explicit carver(const shared_memory& from) : at_(static_cast<char*>(from.data())) {}
  template <class T>
  T* take(std::size_t count) {
    T* const got = reinterpret_cast<T*>(at_);
    at_ += bytes_for<T>(count);
    return got;
  }
  template <class T>
  static std::size_t bytes_for(std::size_t count) {
    constexpr std::size_t line = 256;
    return (count * sizeof(T) + line - 1) / line * line;
  }

 private:
  char* at_;
};

}  // namespace

void core::open_child() {
  control_ = shared_memory::make(carver::bytes_for<request_slot>(chosen_.slots) +
                                 carver::bytes_for<completion_slot>(chosen_.slots) +
                                 carver::bytes_for<pinned_words>(1) + carver::bytes_for<service_row>(rows_max));
  carver parts(control_);
  requests_ = parts.take<request_slot>(chosen_.slots);
  completions_ = parts.take<completion_slot>(chosen_.slots);
  words_ = parts.take<pinned_words>(1);
  pinned_rows_ = parts.take<service_row>(rows_max);
  rows_ = std::make_unique<row_table>(pinned_rows_);
  if (const int failed = control_.commit(0, control_.bytes()); failed != 0)
    throw error(error_code::no_pinned_memory, std::string("no memory for requests: ") + std::strerror(-failed));

  auto launcher = std::make_unique<child_launcher>(program_, chosen_);
  child_ = launcher.get();
  launcher_ = std::move(launcher);
  child_->knows(control_);
  (void)child_->admit(control_.data(), control_.bytes(), false);
  buffers_ = std::make_unique<buffers>(nullptr, *child_, std::size_t{chosen_.pool_mib} << 20);
  child_->knows(buffers_->pinned().memory());
  child_->open(context(0));
  child_->start();
  child_->choose(chosen_.blocks, chosen_.threads);
  served_since_ns_ = now_ns();
  supervisor_wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (supervisor_wake_ < 0) throw error(error_code::system, std::string("eventfd failed: ") + std::strerror(errno));
}

service_processes core::processes() const {
  if (child_ == nullptr) return {};
  return {std::max(0, child_->child_pid()), child_->zygote_pid()};
}

// No more children. The one that serves leaves, if it can, and is killed in any case.
void core::end_child(u64 deadline) {
  supervisor_stops_ = true;
  child_->cancel();
  wake_supervisor();
  if (supervisor_.joinable()) supervisor_.join();
  if (child_->death_fd() >= 0) {
    if (gpu_ == side::up) (void)kernel_left(deadline);
    // No bound: while Linux does not end the child, it may write to memory that the requests' owners get back.
    (void)child_->kill_and_reap([] { std::fprintf(stderr, "genesys: services: the GPU's process does not die\n"); });
  }
  gpu_ = side::lost;
}

void core::wake_supervisor() {
  const u64 one = 1;
  (void)!::write(supervisor_wake_, &one, sizeof one);
}

// Until the child dies, or another thread wakes it. False: the server ends.
bool core::supervisor_sleeps(int timeout_ms) {
  pollfd both[] = {{supervisor_wake_, POLLIN, 0}, {child_->death_fd(), POLLIN, 0}};
  if (!supervisor_stops_) (void)::poll(both, child_->death_fd() >= 0 ? 2 : 1, timeout_ms);
  u64 count = 0;
  (void)!::read(supervisor_wake_, &count, sizeof count);
  return !supervisor_stops_;
}

void core::supervise() {
  pthread_setname_np(pthread_self(), "genesys-superv");
  while (supervisor_sleeps(wait_max_ms)) {
    if (child_->death_fd() >= 0 && child_->is_dead()) fail("the GPU's process died");  // R1
    if (gpu_.load() == side::failing) replace_child();
  }
}

// R2 to R7. The server may end in between.
void core::replace_child() {
  { const std::lock_guard hold(launching_); }  // a thread that has seen the side up has launched by now
  const u64 served_ns = now_ns() - served_since_ns_;
  failures_ = served_ns > good_ns ? 0 : failures_ + 1;
  const std::string how = child_->kill_and_reap(
      [] { std::fprintf(stderr, "genesys: services: the GPU's process does not die; its requests wait\n"); });
  std::fprintf(stderr, "genesys: services: the GPU's process %s; twins answer\n", how.c_str());
  gpu_.store(side::lost, std::memory_order_seq_cst);  // R3; pairs with look()
  while (!start_child()) {
    ++failures_;
    if (never_again_) return;
  }
  if (!hold_all_slots()) return;
  begin_again();
}

// R4. False: try it again, unless never_again_ says otherwise. Failures in a row have longer and longer pauses between
// them, so that a service that always fails does not keep the machine busy with children.
bool core::start_child() {
  constexpr u32 pause_ms = 20, doublings_max = 6;
  if (failures_ > 1) {
    const u64 until = now_ns() + u64{pause_ms << std::min(failures_ - 2, doublings_max)} * 1'000'000;
    for (u64 now = now_ns(); now < until; now = now_ns()) {
      if (!supervisor_sleeps(static_cast<int>((until - now) / 1'000'000) + 1)) break;
    }
  }
  if (supervisor_stops_) {
    never_again_ = true;
    return false;
  }
  try {
    child_->start();
    return true;
  } catch (const error& thrown) {
    std::fprintf(stderr, "genesys: services: %s\n", thrown.what());
    if (!child_->can_start()) never_again_ = true;
    return false;
  }
}

// R5. Each slot that is in use comes back: the side is lost, so whatever thread attends its request gives it back.
bool core::hold_all_slots() {
  for (u32 held = 0; held < chosen_.slots;) {
    if (free_.take(held) != free_slots::none) {
      ++held;
      continue;
    }
    if (supervisor_stops_) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

// R6, R7. No thread reads or writes this memory: no kernel has been launched, and no slot is in use.
void core::begin_again() {
  std::memset(static_cast<void*>(requests_), 0, chosen_.slots * sizeof(request_slot));
  for (u32 slot = 0; slot < chosen_.slots; ++slot) {
    const auto use = static_cast<u32>(records_[slot].word.load(std::memory_order_relaxed) >> 32);
    std::atomic_ref<u64>(completions_[slot].word).store(pack_completion(use, 0), std::memory_order_relaxed);
  }
  rows_->write_again();
  {
    const std::lock_guard hold(launching_);
    std::atomic_ref<u64>(words_->asked).store(0, std::memory_order_relaxed);
    std::atomic_ref<u32>(words_->gone).store(0, std::memory_order_relaxed);
    std::atomic_ref<u32>(words_->began).store(0, std::memory_order_relaxed);
    current_.store(0);
    other_requests_ += tail_.exchange(0);
    ++replaced_;
    served_since_ns_ = now_ns();
    gpu_.store(side::up, std::memory_order_seq_cst);  // pairs with take_slot() and launch_next()
  }
  for (u32 slot = 0; slot < chosen_.slots; ++slot) free_.give(slot);
  { const std::lock_guard hold(slot_lock_); }
  slot_freed_.notify_all();
  std::fprintf(stderr, "genesys: services: another process serves\n");
}

}  // namespace genesys::detail::services
