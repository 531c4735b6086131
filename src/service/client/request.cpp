// SPDX-License-Identifier: Apache-2.0
// A client's requests (connection.h): C1 to C7 of ring.h.
#include <pthread.h>
#include <sched.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "schedule/daemon/clock.h"
#include "schedule/daemon/message.h"
#include "service/client/connection.h"
#include "service/client/forks.h"

namespace genesys::detail::serving {

namespace ipc = schedule::processes;

namespace {

std::atomic<unsigned> forks{0};
u32 number_of_thread() {
  static std::atomic<u32> next{0};
  thread_local const u32 mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine;
}

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

unsigned forks_of_process() {
  [[maybe_unused]] static const int registered = ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });

  return forks.load(std::memory_order_relaxed);
}

long connection::is_closed() const {
  if (forks_ != forks.load(std::memory_order_relaxed)) return -ECHILD;
  return is_lost_.load(std::memory_order_relaxed) ? -ECONNRESET : 0;
}

void* connection::allocate(std::size_t bytes) {
  const std::lock_guard hold(memory_lock_);
  const std::size_t at = parts_->take(bytes);
  return at == free_ranges::none ? nullptr : memory_.data() + at;
}

void connection::free(void* memory) {
  if (memory == nullptr) return;
  const std::lock_guard hold(memory_lock_);
  if (parts_->give(static_cast<std::size_t>(static_cast<std::byte*>(memory) - memory_.data()))) return;
  std::fprintf(stderr, "genesys: service_client::free(%p): this is no memory of allocate()\n", memory);
  std::abort();
}

// Pointers become offsets in the client's memory. The daemon checks them again.
long connection::translate(const remote_description& of, std::byte* arguments) const {
  for (const remote_member& each : of.members) {
    if (each.kind != 0) continue;
    service_buffer buffer;
    std::memcpy(&buffer, arguments + each.offset, sizeof buffer);
    const u64 at = reinterpret_cast<u64>(buffer.data) - reinterpret_cast<u64>(memory_.data());
    if (buffer.bytes != 0 && (at > memory_.bytes() || buffer.bytes > memory_.bytes() - at)) return -EFAULT;
    const u64 offset = buffer.bytes == 0 ? 0 : at;
    if (offset % 8 != 0) return -EINVAL;
    std::memcpy(arguments + each.offset, &offset, sizeof offset);
  }
  return 0;
}

long connection::submit(u32 service, const void* arguments, std::size_t bytes, const remote_call& how, u32& slot,
                        u32& use) {
  if (const long why = is_closed(); why != 0) return why;
  if (service >= services_.size()) return -ENOENT;
  const remote_description& of = services_[service];
  if (bytes != of.argument_bytes || how.blocks == 0 || how.blocks > blocks_max_) return -EINVAL;
  ring_request request{};
  std::memcpy(request.arguments, arguments, bytes);
  if (const long why = translate(of, reinterpret_cast<std::byte*>(request.arguments)); why != 0) return why;
  long why_not = 0;
  slot = take_slot(how.refuse_if_full, why_not);  // C1
  if (slot == no_slot) return why_not;
  use = (uses_[slot].fetch_add(1, std::memory_order_relaxed) + 1) & 0xffffu;
  request.service = numbers_[service];
  request.argument_bytes = static_cast<u32>(bytes);
  request.blocks = how.blocks;
  request.use = use;
  request.published_ns = ipc::now_ns();
  u64 words[ring_request_words];
  std::memcpy(words, &request, sizeof request);
  ring_slot& to = ring_.slot(slot);
  for (u32 i = 0; i < ring_request_words; ++i)  // C2
    std::atomic_ref<u64>(to.words[i]).store(words[i], std::memory_order_relaxed);
  ring_.head().ready[slot / 64].bits.fetch_or(u64{1} << slot % 64);  // C3, pairs with D1 and D5
  std::atomic<u32>& sleeps = ring_.head().daemon_sleeps;
  if (sleeps.load() != 0 && sleeps.exchange(0) != 0) {  // C4, pairs with D5
    hello wake;
    wake.kind = hello_kind::wake;
    // It fails if the daemon has gone, which the watching thread sees, or if it has not yet read the last packets.
    ipc::send_packet(socket_.get(), &wake, sizeof wake);
  }
  return 0;
}

bool connection::has_ended(u32 slot) const {
  const u64 word = ring_.completion(slot).word.load(std::memory_order_acquire);
  return ring_use_of(word) == (uses_[slot].load(std::memory_order_relaxed) & 0xffffu);
}

u32 connection::try_slot() {
  const u32 words = ring_.words(), near = number_of_thread();
  for (u32 i = 0; i < words; ++i) {
    const u32 at = (near + i) % words;
    u64 seen = free_[at].load();
    while (seen != 0) {
      const u64 bit = seen & (0 - seen);
      const u64 before = free_[at].fetch_and(~bit);  // pairs with give_slot()
      if ((before & bit) != 0) return at * 64 + static_cast<u32>(std::countr_zero(bit));
      seen = before & ~bit;
    }
  }
  // Requests that nobody waits for, and that have ended.
  for (u32 i = 0; i < words; ++i) {
    for (u64 seen = abandoned_[i].load(); seen != 0; seen &= seen - 1) {
      const u64 bit = seen & (0 - seen);
      const u32 slot = i * 64 + static_cast<u32>(std::countr_zero(bit));
      if (!has_ended(slot) || (abandoned_[i].fetch_and(~bit) & bit) == 0) continue;
      if (has_ended(slot)) return slot;
      abandoned_[i].fetch_or(bit);  // another thread has used and abandoned it since the first look
    }
  }
  return no_slot;
}

u32 connection::take_slot(bool refuse_if_full, long& why_not) {
  u32 slot = try_slot();
  if (slot != no_slot) return slot;
  if (refuse_if_full) {
    why_not = -EAGAIN;
    return slot;
  }
  constexpr auto look_again = std::chrono::milliseconds(1);  // for abandoned requests
  ++slot_waiters_;                                           // pairs with give_slot(): it gives the slot, then looks
  std::unique_lock hold(slot_lock_);
  while ((slot = try_slot()) == no_slot && (why_not = is_closed()) == 0) slot_freed_.wait_for(hold, look_again);
  --slot_waiters_;
  return slot;
}

// C6
void connection::give_slot(u32 slot) {
  free_[slot / 64].fetch_or(u64{1} << slot % 64);
  if (slot_waiters_.load() == 0) return;
  { const std::lock_guard hold(slot_lock_); }
  slot_freed_.notify_one();
}

void connection::abandon(u32 slot) { abandoned_[slot / 64].fetch_or(u64{1} << slot % 64); }

// C5
bool connection::is_there(u32 slot, u32 use, long& result) const {
  const u64 word = ring_.completion(slot).word.load();  // pairs with D3
  if (ring_use_of(word) != use) return false;
  result = static_cast<long>(ring_result_of(word));
  return true;
}

bool connection::collect(u32 slot, u32 use, long& result) {
  if (!is_there(slot, use, result)) {
    const long why = is_closed();
    if (why == 0) return false;
    // The daemon's last completion may have come since the first look.
    if (!is_there(slot, use, result)) result = why;
  }
  give_slot(slot);
  return true;
}

long connection::wait(u32 slot, u32 use) {
  constexpr u32 polls = 200, polls_for_a_look_at_the_clock = 64;
  u64 sleep_at = 0;
  long result = 0;
  for (u32 i = 1; !collect(slot, use, result); ++i) {
    if (i > polls)
      ::sched_yield();
    else
      relax();
    if (i % polls_for_a_look_at_the_clock != 0) continue;
    const u64 now = ipc::now_ns();
    if (sleep_at == 0) sleep_at = now + u64{spin_us_} * 1000;
    if (now >= sleep_at) return sleep(slot, use);
  }
  return result;
}

// C7. The time limit costs nothing, and shows a wake-up that is missing as a slow request.
long connection::sleep(u32 slot, u32 use) {
  constexpr u64 look_again_ns = 60'000'000'000;
  ring_completion& at = ring_.completion(slot);
  for (;;) {
    const ipc::awaited_word awaited{&at.wakes, at.wakes.load()};
    at.sleeps.store(1);  // pairs with D4
    long result = 0, why = 0;
    if (is_there(slot, use, result) || (why = is_closed()) != 0) {
      at.sleeps.store(0);
      collect(slot, use, result);
      return result;
    }
    ipc::sleep_on(&awaited, 1, look_again_ns);
  }
}

}  // namespace genesys::detail::serving
