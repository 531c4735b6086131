// SPDX-License-Identifier: Apache-2.0
#include "execute/shared_rings.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "execute/shared_rings_linux.h"
#include "trace/clock.h"

namespace genesys::detail {
bool shared_rings::set_file(int number, int fd) {
  bool all = true;
  for (const ring& one : rings_) {
    const files_update how{static_cast<u32>(number), 0, reinterpret_cast<u64>(&fd)};
    all &= ::syscall(SYS_io_uring_register, one.fd.get(), IORING_REGISTER_FILES_UPDATE, &how, 1) == 1;
  }
  return all;
}

bool shared_rings::grant(int fd) {
  if (static_cast<u32>(fd) >= files_max_) return false;
  (void)granted_.add(static_cast<u64>(fd));
  return set_file(fd, fd);
}

void shared_rings::revoke(u64 fd) {
  if (granted_.remove(fd)) (void)set_file(static_cast<int>(fd), -1);
}

shared_rings::~shared_rings() { close(); }

void shared_rings::close() {
  for (ring& one : rings_) one.fd.reset();
  if (leaked_) return;  // a kernel may still write there
  if (table_ != nullptr) on_.free(table_);
  if (admitted_) on_.memory_mapper().let_go(memory_);
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

void shared_rings::wake() {
  woken_ns_.store(now_ns(), std::memory_order_relaxed);
  for (const ring& one : rings_) {
    if ((load(one.flags) & IORING_SQ_NEED_WAKEUP) != 0)
      (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
  }
}

namespace {
// Extends a 32-bit counter to 64 bits.
u64 lengthened(u64 before, u32 now) { return before + (now - static_cast<u32>(before)); }
}  // namespace

// Kernels and Linux advance the counters meanwhile. So of two counters the one that follows is read before the one that
// leads, where the distance must not be negative, and after it, where the distance must not exceed the ring.
bool shared_rings::is_overwritten(const ring& one, u32 sq_entries, u32 cq_entries) {
  const auto distance = [](u32 a, u32 b) { return static_cast<std::int32_t>(a - b); };
  const u32 tail = load(one.shared.tail), head = load(one.shared.head), later_tail = load(one.shared.tail);
  const u32 seen = load(one.shared.seen), completed = load(one.shared.completed), later_seen = load(one.shared.seen);
  return distance(tail, head) > static_cast<std::int32_t>(sq_entries) || distance(later_tail, head) < 0 ||
         distance(completed, later_seen) > static_cast<std::int32_t>(cq_entries) || distance(completed, seen) < 0 ||
         load(one.overflow) != 0;
}

u64 shared_rings::look(u64 now, const std::function<u64(u64)>& put_off) {
  u64 again_ns = ~u64{0};
  for (ring& one : rings_) {
    if (now >= one.awake_until_ns) look_at(one, now);
    const u64 quiet_since_ns = std::max(one.moved_ns, woken_ns_.load(std::memory_order_relaxed));
    const u64 quiet_ns = now > quiet_since_ns ? now - quiet_since_ns : 0;
    again_ns = std::min(again_ns, std::max(one.awake_until_ns, now) + put_off(quiet_ns));
  }
  return again_ns;
}

// A look takes cache lines from the core of the SQPOLL thread. The thread sleeps `idle_ms` after the last SQE at the
// earliest, so the ring is not looked at for that time after new SQEs.
void shared_rings::look_at(ring& one, u64 now) {
  if (!closed_.load(std::memory_order_relaxed) &&
      is_overwritten(one, 1u << as_.sq_entries_log2, 1u << as_.cq_entries_log2)) {
    std::fprintf(stderr,
                 "genesys: a kernel has written over a ring of the executor direct: all of them are lost, and "
                 "calls go to threads; calls that were under way get EIO\n");
    lost_.store(true, std::memory_order_relaxed);
    if (closed_.exchange(true)) return;  // end() was first
    (void)on_.memory_mapper().store(&table_->closed, rings_lost);
    cancel();
  }
  const u32 tail = load(one.shared.tail), head = load(one.shared.head);
  one.read.store(lengthened(one.read.load(std::memory_order_relaxed), head),
                 std::memory_order_release);  // pairs with calls_so_far
  if (tail != one.tail) {
    one.awake_until_ns = one.looked_ns + u64{idle_ms} * 1'000'000;
    one.moved_ns = now;
  }
  one.tail = tail;
  one.looked_ns = now;
  if (tail != head && (load(one.flags) & IORING_SQ_NEED_WAKEUP) != 0)
    (void)::syscall(SYS_io_uring_enter, one.fd.get(), 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
}

void shared_rings::record(bool on) const { (void)on_.memory_mapper().store(&table_->recorded, on ? 1 : 0); }

void shared_rings::end() {
  if (!closed_.exchange(true)) (void)on_.memory_mapper().store(&table_->closed, rings_ended);
  wake();  // Linux must consume published SQEs before it can cancel them
  cancel();
}

void shared_rings::cancel() const {
  for (const ring& one : rings_) {
    sync_cancel all;
    all.flags = cancel_all | cancel_any;
    all.timeout_s = 0;
    all.timeout_ns = 1;  // the core calls end() again
    (void)::syscall(SYS_io_uring_register, one.fd.get(), register_sync_cancel, &all, 1);
  }
}

u64 shared_rings::calls_so_far() const {
  u64 sum = 0;
  for (const ring& one : rings_) {
    // Before the head is loaded: look_at may store a later value meanwhile. Pairs with look_at.
    const u64 before = one.read.load(std::memory_order_acquire);
    sum += lengthened(before, load(one.shared.head));
  }
  return sum;
}

u32 shared_rings::under_way() const {
  u32 sum = 0;
  if (lost_.load(std::memory_order_relaxed)) return 0;
  for (const ring& one : rings_) {
    const u32 completed = load(one.shared.completed);  // first, so that it is no more than the tail
    sum += load(one.shared.tail) - completed;
  }
  return sum;
}

}  // namespace genesys::detail
