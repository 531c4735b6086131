// SPDX-License-Identifier: Apache-2.0
#include "slow_linux.h"

#include <linux/io_uring.h>

#include <algorithm>
#include <bit>

namespace attack {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

// The distance in words from a ring's `head` to the flags in which Linux tells whether its thread sleeps.
std::ptrdiff_t flags_after_head() {
  io_uring_params said{};
  const descriptor ring(static_cast<int>(::syscall(SYS_io_uring_setup, 2, &said)));
  return (std::ptrdiff_t{said.sq_off.flags} - std::ptrdiff_t{said.sq_off.head}) / std::ptrdiff_t{sizeof(u32)};
}

constexpr u32 line = 16, first_entry = 4 * line;  // in words of eight bytes

u32 load(u32* word) { return std::atomic_ref(*word).load(std::memory_order_acquire); }
void store(u32* word, u32 value) { std::atomic_ref(*word).store(value, std::memory_order_release); }
u64 get(u64& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
void put(u64& word, u64 value) { std::atomic_ref(word).store(value, std::memory_order_relaxed); }

struct show_rings {
  GENESYS_KERNEL void operator()(genesys::os os, const shared_ring* shown, shared_ring* real, u32 rings) const {
    for (u32 i = 0; i < rings; ++i) {
      real[i] = os.context().rings->ring[i];
      os.context().rings->ring[i] = shown[i];
    }
  }
};

}  // namespace

slow_linux::slow_linux(u32 at, shared_ring_shape as, const pace& how, u64 seed)
    : at_(at),
      as_(as),
      how_(how),
      random_(seed),
      memory_(shared_runtime(), first_entry + 8 * as.sq_entries() + 2 * as.cq_entries()),
      flags_after_head_(flags_after_head()) {
  std::memset(memory_.get(), 0, 8 * first_entry);
  const auto word = [&](u32 i) { return reinterpret_cast<u32*>(memory_.get() + line * i); };
  u64* const entries = memory_.get() + first_entry;
  shown_ = {word(0), word(1), word(2), word(3), entries, entries + 8 * as.sq_entries()};
}

void slow_linux::begin(const shared_ring& real) {
  real_ = real;
  thread_ = std::thread([this] { work(); });
}

std::string slow_linux::stop() {
  stopping_.store(true);
  if (thread_.joinable()) thread_.join();
  return wrong_;
}

void slow_linux::stall() {
  if (how_.stall_us != 0 && random(2) == 0) std::this_thread::sleep_for(microseconds(random(how_.stall_us)));
}

void slow_linux::check(bool right, const std::string& what) {
  if (right || !wrong_.empty()) return;
  wrong_ = what;
  std::printf("slow_linux: %s\n", what.c_str());  // printed at once, because the kernel may hang after it
  std::fflush(stdout);
}

void slow_linux::work() {
  while (!stopping_.load()) {
    read_entries();
    if (!holding_.load()) forward_entries();
    take_completions();
    if (!holding_.load()) forward_completions();
    std::this_thread::sleep_for(microseconds(20));
  }
}

// Copies new SQEs and then frees their slots, as Linux does.
void slow_linux::read_entries() {
  const u32 there = load(shown_.tail) - head_;
  check(there <= as_.sq_entries(), "the tail is " + std::to_string(there) + " entries ahead of the head");
  if (there == 0 || there > as_.sq_entries()) return;
  const u32 count = some_of(there);
  for (u32 i = 0; i < count; ++i) {
    entry& fresh = entries_.emplace_back();
    u64* const place = shown_.sqes + 8 * ((head_ + i) & (as_.sq_entries() - 1));
    for (u32 k = 0; k < 8; ++k) {
      fresh.words[k] = get(place[k]);
      put(place[k], ~u64{0});  // makes an SQE that no lane has written visible
    }
    const u64 whose = fresh.words[4];
    check(whose >> 32 == genesys::detail::tag_of_sequence(at_, head_ + i), "Linux was told of an entry too soon");
    check(under_way_.emplace(static_cast<u32>(whose), whose).second, "a completion slot has two calls under way");
  }
  stall();
  store(shown_.head, head_ += count);
  stall();
}

// Forwards SQEs, as a thread in user space does.
void slow_linux::forward_entries() {
  if (entries_.empty()) return;
  const u32 free = static_cast<u32>(as_.sq_entries()) - (tail_ - load(real_.head));
  const u32 count = some_of(std::min(free, static_cast<u32>(entries_.size())));
  if (count == 0) return;
  for (u32 i = 0; i < count; ++i) {
    u64* const place = real_.sqes + 8 * ((tail_ + i) & (as_.sq_entries() - 1));
    for (u32 k = 0; k < 8; ++k) put(place[k], entries_.front().words[k]);
    entries_.pop_front();
  }
  stall();
  if (how_.asleep && waits_until_asleep()) ++sleeps_;
  at_linux_ += count;
  store(real_.tail, tail_ += count);
  stall();
}

bool slow_linux::waits_until_asleep() const {
  u32* const flags = real_.head + flags_after_head_;
  return eventually([&] { return stopping_.load() || (load(flags) & IORING_SQ_NEED_WAKEUP) != 0; }, 1);
}

// Reads the ring only while Linux has calls to complete: then lanes wait, and the ring's memory exists.
void slow_linux::take_completions() {
  if (at_linux_ == 0) return;
  const u32 there = load(real_.completed) - seen_;
  const auto now = steady_clock::now();
  for (u32 i = 0; i < there; ++i) {
    u64* const place = real_.cqes + 2 * ((seen_ + i) & (as_.cq_entries() - 1));
    completions_.push_back({get(place[0]), get(place[1]), taken_++, now + microseconds(random(how_.completion_us))});
  }
  if (there == 0) return;
  store(real_.seen, seen_ += there);
  at_linux_ -= there;
  stall();
}

void slow_linux::forward_completions() {
  const auto now = steady_clock::now();
  const auto late =
      std::partition(completions_.begin(), completions_.end(), [&](const completion& a) { return a.due > now; });
  std::shuffle(late, completions_.end(), random_);
  const u32 count = some_of(static_cast<u32>(completions_.end() - late)), free = free_completions();
  check(count <= free, "the completion queue is full");
  if (count == 0 || count > free) return;
  for (u32 i = 0; i < count; ++i) {
    const completion one = completions_.back();
    completions_.pop_back();
    write_completion(given_ + i, one.whose, one.value);
    under_way_.erase(static_cast<u32>(one.whose));
    overtakes_ += std::any_of(completions_.begin(), completions_.end(),
                              [&](const completion& a) { return a.number < one.number; });
  }
  stall();
  store(shown_.completed, given_ += count);
  // A wrong CQE in the next slot: no lane may read it before the CQ tail counts it.
  if (free > count && !under_way_.empty()) write_completion(given_, under_way_.begin()->second, 0x7fff'0000);
  stall();
}

u32 slow_linux::free_completions() const { return static_cast<u32>(as_.cq_entries()) - (given_ - load(shown_.seen)); }

void slow_linux::write_completion(u32 number, u64 whose, u64 value) {
  u64* const place = shown_.cqes + 2 * (number & (as_.cq_entries() - 1));
  put(place[0], whose);
  put(place[1], value);
}

slow_rings::slow_rings(runtime& rt, u32 rings, u32 entries, const slow_linux::pace& how) {
  shared_ring_shape as;
  as.rings = static_cast<u8>(rings);
  as.sq_entries_log2 = static_cast<u8>(std::countr_zero(entries));
  as.cq_entries_log2 = static_cast<u8>(as.sq_entries_log2 + 2);
  const in_arena<shared_ring> shown(rt, rings), real(rt, rings);
  for (u32 i = 0; i < rings; ++i)
    shown[i] = all_.emplace_back(std::make_unique<slow_linux>(i, as, how, seed_ + i))->shown();
  play(rt, {}, show_rings{}, shown.get(), real.get(), rings);
  for (u32 i = 0; i < rings; ++i) all_[i]->begin(real[i]);
}

void slow_rings::hold_back(bool all) {
  for (const auto& one : all_) one->hold_back(all);
}

u64 slow_rings::stop() {
  u64 completions = 0;
  for (const auto& one : all_) {
    EXPECT_EQ(one->stop(), "") << "seed " << seed_;
    completions += one->completed();
    sleeps_ += one->sleeps();
    overtakes_ += one->overtakes();
  }
  return completions;
}

}  // namespace attack
