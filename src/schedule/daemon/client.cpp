// SPDX-License-Identifier: Apache-2.0
// What a process asks while it runs (client.h). client_connection.cpp has its messages with the daemon.
#include "schedule/daemon/client.h"

#include <algorithm>
#include <thread>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/futex.h"

namespace genesys::schedule::processes {
namespace {

constexpr u32 polls_per_check = 1024;  // polls between two looks at the connection
constexpr unsigned late_shift_max = 10;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

// H1. The state is visible before the lines of others are read: of two processes that begin at the same time, at least
// one sees the other.
hold client::begin() {
  line_->heartbeat.store(++beats_, std::memory_order_relaxed);
  if (now_ns() - checked_ > wait_max_ns || at_ == progress::joining || unmapped_ != 0) maintain();
  do {
    if (look() == hold::none) publish(state_running);
    if (board_->version.load(std::memory_order_seq_cst) != seen_version_) maintain();  // pairs with publish_board
    last_ = look();
  } while (last_ == hold::none && state_ != state_running);  // it may begin since the first look
  if (last_ != hold::none) note_held();
  return last_;
}

// The daemon ticks while it knows of a member that is held.
void client::note_held() {
  const bool was_held = std::exchange(held_, true);
  publish(state_waiting);
  if (!was_held) line_->holds.store(++holds_, std::memory_order_relaxed);
  const u32 ticks = board_->ticks.load(std::memory_order_relaxed);
  if (!was_held || ticks == told_ticks_) send(request_kind::look);
  told_ticks_ = ticks;
}

hold client::poll() {
  line_->heartbeat.store(++beats_, std::memory_order_relaxed);
  if (board_->version.load(std::memory_order_seq_cst) != seen_version_ || unmapped_ != 0 ||
      beats_ % polls_per_check == 0) {
    maintain();
  }
  return last_ = look();
}

// H2
void client::acknowledge() {
  if (last_ != hold::none) return note_held();
  publish(state_waiting);
}

void client::end() {
  last_ = hold::none;
  publish(state_idle);
}

// H4. A member that sleeps has stored `sleeps` before it read this state (H3, client::wait); so either it has seen this
// state, or its flag is seen here.
void client::publish(u32 state) {
  state_ = state;
  if (state != state_waiting) held_ = false;
  if (line_->state.load(std::memory_order_relaxed) == state) return;
  line_->state.store(state, std::memory_order_seq_cst);  // pairs with look(), alone(), client::wait
  std::atomic_thread_fence(std::memory_order_seq_cst);   // pairs with the fence of client::wait
  if (at_ != progress::member) return;
  // A member that this process does not know yet may sleep, too.
  bool wakes = unmapped_ != 0 || board_->version.load(std::memory_order_relaxed) != seen_version_;
  for (const other& each : others_)
    wakes = wakes || (each.page && each.line()->sleeps.load(std::memory_order_relaxed) != 0);
  if (wakes) wake_all(&line_->state);
}

hold client::look() const {
  hold found = hold::none;
  for (const other& each : others_) {
    if (!each.more_important || !each.page) continue;
    if (each.line()->state.load(std::memory_order_seq_cst) == state_idle) continue;  // pairs with publish
    if (each.aborts) return hold::abort;
    found = hold::drain;
  }
  return found;
}

// H3
void client::wait(time_ns timeout) {
  timeout = std::min(timeout, wait_max_ns);
  line_->sleeps.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence of client::publish
  awaited_word words[members_max];                      // the board, and all other members
  static_assert(members_max <= awaited_words_max);
  unsigned count = 0;
  words[count++] = {&board_->version, seen_version_};
  hold found = hold::none;
  for (const other& each : others_) {
    if (!each.more_important || !each.page) continue;
    const u32 state = each.line()->state.load(std::memory_order_seq_cst);
    words[count++] = {&each.line()->state, state};
    if (state != state_idle) found = each.aborts ? hold::abort : std::max(found, hold::drain);
  }
  // While a page is on its way, its member's state is not known, so the sleep is short.
  if (found == last_ || state_ == state_idle) sleep_on(words, count, unmapped_ != 0 ? timeout / 64 : timeout);
  line_->sleeps.store(0, std::memory_order_relaxed);
  line_->heartbeat.store(++beats_, std::memory_order_relaxed);
  maintain();
}

bool client::has_more_important() const {
  return std::any_of(others_.begin(), others_.end(), [](const other& each) { return each.more_important; });
}

// H5
bool client::alone() const {
  return std::none_of(others_.begin(), others_.end(), [](const other& each) {
    return each.less_important && each.page && each.line()->state.load(std::memory_order_seq_cst) == state_running;
  });
}

bool client::wait_alone(time_ns timeout) {
  const time_ns until = now_ns() + timeout;
  bool is_alone = true;
  for (other& each : others_) {
    if (!each.less_important || !each.page) continue;
    const auto runs = [&] { return each.line()->state.load(std::memory_order_seq_cst) == state_running; };
    if (each.left_out > 0) {
      --each.left_out;
      is_alone = is_alone && !runs();
      continue;
    }
    // A member that does not run now holds before it runs: it sees this process, which is not idle (H1).
    while (runs() && now_ns() < until) {
      if (look() != hold::none) return false;
      if (board_->version.load(std::memory_order_relaxed) != seen_version_) {  // one may have gone: begin again
        maintain();
        return wait_alone(until - std::min(until, now_ns()));
      }
      line_->heartbeat.store(++beats_, std::memory_order_relaxed);
      relax();
    }
    if (!runs()) {
      each.late = 0;
      continue;
    }
    is_alone = false;
    each.late = std::min(each.late + 1, late_shift_max);
    each.left_out = 1u << each.late;
  }
  return is_alone;
}

void client::set_run(time_ns run) {
  run_us_ = static_cast<u32>(std::min<time_ns>(run / 1000, ~u32{0}));
  line_->run_us.store(run_us_, std::memory_order_relaxed);
}

bool client::wants_report() const {
  const u64 until_ns = board_->reports_until_ns.load(std::memory_order_relaxed);
  if (until_ns == 0 || at_ != progress::member) return false;
  const time_ns now = now_ns();
  return now < until_ns && now >= next_report_;
}

// A row that finds the daemon's queue full is lost; the next report has it again.
void client::report(std::vector<kernel_report> kernels) {
  if (at_ != progress::member) return;
  next_report_ = now_ns() + report_interval_ns;
  for (const kernel_row& row : rows_of(std::move(kernels))) send_packet(socket_.get(), &row, sizeof row);
}

}  // namespace genesys::schedule::processes
