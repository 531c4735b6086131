// SPDX-License-Identifier: Apache-2.0
// Uses liburing; no other source includes it.
#include "execute/worker_ring.h"

#include <liburing.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "execute/executor_choice.h"
#include "execute/throw_errno.h"
#include "trace/clock.h"
#include "trace/ticks.h"

namespace genesys::detail {
namespace {

constexpr u32 submissions_at_once = 256, completions_max = 8192, calls_max = 4096;
// user_data of CQEs that belong to no call. That of a call is its index in entries_.
constexpr u64 id_wakeup = ~u64{0}, id_cancel = id_wakeup - 1;

// One thread submits and reaps, and Linux does not interrupt it for a CQE.
constexpr u32 ring_flags = IORING_SETUP_CQSIZE | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                           IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_R_DISABLED | IORING_SETUP_CLAMP;

int open_ring(io_uring& as) {
  io_uring_params how{};
  how.flags = ring_flags;
  how.cq_entries = completions_max;
  return io_uring_queue_init_params(submissions_at_once, &as, &how);
}

u64 field_value(const uring_field& field, const u64 (&args)[args_max]) {
  return field.arg < 0 ? field.number : args[field.arg];
}

io_uring_restriction opcode_allowed(u32 opcode) {
  io_uring_restriction one{};
  one.opcode = IORING_RESTRICTION_SQE_OP;
  one.sqe_op = static_cast<__u8>(opcode);
  return one;
}

// Restricts the ring to the opcodes that the policy allows, because seccomp does not see the calls that io_uring makes.
void restrict_and_enable(io_uring& of, const policy& rules) {
  if (rules.chosen().deny_anything()) {
    std::vector<io_uring_restriction> allowed = {opcode_allowed(uring_op::poll_add),
                                                 opcode_allowed(uring_op::async_cancel)};
    for (const call_plan& plan : plans) {
      if (plan.uring.by_workers && rules.allows(plan)) allowed.push_back(opcode_allowed(plan.uring.opcode));
    }
    const int no = io_uring_register_restrictions(&of, allowed.data(), static_cast<unsigned>(allowed.size()));
    if (no < 0) throw_errno("io_uring_register, restrictions", -no);
  }
  if (const int no = io_uring_enable_rings(&of); no < 0) throw_errno("io_uring_register, enabling", -no);
}

}  // namespace

struct worker_ring::of_linux {
  io_uring ring{};
  bool open = false;
  // 0, or -errno.
  int begin() {
    const int no = open_ring(ring);
    open = no == 0;
    if (open) policy::protect(ring.ring_fd);
    return no;
  }
  ~of_linux() {
    if (!open) return;
    policy::release(ring.ring_fd);
    io_uring_queue_exit(&ring);
  }
};

std::string worker_ring::why_not() {
  of_linux tried;
  const int no = tried.begin();
  if (no == 0) return {};
  if (no == -ENOSYS) return "this kernel has no io_uring";
  if (no == -EPERM) return "io_uring is switched off (/proc/sys/kernel/io_uring_disabled, or a seccomp filter)";
  if (no == -EINVAL) return "this kernel's io_uring is older than Linux 6.1";
  return std::string("io_uring_setup failed: ") + std::strerror(-no);
}

worker_ring::worker_ring(const policy& rules) : linux_(std::make_unique<of_linux>()) {
  const int no = linux_->begin();
  if (no == -ENOMEM)
    throw rings_refused(executor_kind::uring, "rings take more memory than RLIMIT_MEMLOCK (ulimit -l)");
  if (no < 0) throw_errno("io_uring_setup", -no);
  restrict_and_enable(linux_->ring, rules);
  const int wakeup = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wakeup < 0) throw_errno("eventfd", errno);
  wakeup_.take(wakeup);
}

worker_ring::~worker_ring() = default;

bool worker_ring::can_say(const uring_call& how, const u64 (&args)[args_max]) {
  if (field_value(how.len, args) > transfer_bytes_max) return false;
  const bool moves = how.opcode == uring_op::read || how.opcode == uring_op::write;
  return !moves || static_cast<i64>(field_value(how.off, args)) >= 0;  // negative: the descriptor's own position
}

bool worker_ring::begin(const request& call, const uring_call& how, const u64 (&args)[args_max]) {
  u32 at;
  {
    const std::lock_guard hold(lock_);
    if (under_way_ == calls_max) return false;
    if (free_ == entries_.size()) entries_.push_back({{}, false, static_cast<u32>(entries_.size()) + 1});
    at = free_;
    entries_[at].of = {call, now_ns(), trace::ticks_now()};
    entries_[at].taken = true;
    free_ = entries_[at].next;
  }
  io_uring_sqe* entry = io_uring_get_sqe(&linux_->ring);
  if (entry == nullptr) {
    submit();
    entry = io_uring_get_sqe(&linux_->ring);
  }
  if (entry == nullptr) {  // Linux takes no more for now
    const std::lock_guard hold(lock_);
    entries_[at].taken = false;
    entries_[at].next = free_;
    free_ = at;
    return false;
  }
  std::memset(entry, 0, sizeof *entry);
  entry->opcode = how.opcode;
  entry->fd = static_cast<int>(field_value(how.fd, args));
  entry->addr = field_value(how.addr, args);
  entry->len = static_cast<u32>(field_value(how.len, args));
  entry->off = field_value(how.off, args);
  entry->rw_flags = static_cast<int>(field_value(how.flags, args));
  entry->user_data = at;
  ++new_;
  ++under_way_;
  busy_.store(true, std::memory_order_relaxed);
  calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return true;
}

void worker_ring::submit() {
  // SQEs that Linux does not take now (-EAGAIN, -EBUSY) stay for the next submit().
  const int taken = io_uring_submit(&linux_->ring);
  new_ = io_uring_sq_ready(&linux_->ring);
  if (taken > 0) submissions_.store(submissions_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

u32 worker_ring::take_ended(ended (&into)[at_once]) {
  io_uring_cqe* seen[at_once];
  const u32 count = io_uring_peek_batch_cqe(&linux_->ring, seen, at_once);
  if (count == 0) return 0;
  u32 calls = 0;
  {
    const std::lock_guard hold(lock_);
    for (u32 i = 0; i < count; ++i) {
      const u64 at = seen[i]->user_data;
      if (at < entries_.size() && entries_[at].taken) {
        into[calls++] = {entries_[at].of.call, seen[i]->res, entries_[at].of.since_ticks};
        entries_[at].taken = false;
        entries_[at].next = free_;
        free_ = static_cast<u32>(at);
      } else if (at == id_wakeup) {
        wakeup_armed_ = false;
        eventfd_t wakeups;
        ::eventfd_read(wakeup_.get(), &wakeups);
      }
    }
  }
  io_uring_cq_advance(&linux_->ring, count);
  under_way_ -= calls;
  if (under_way_ == 0) busy_.store(false, std::memory_order_relaxed);
  return calls != 0 ? calls : take_ended(into);
}

void worker_ring::wait() {
  if (!wakeup_armed_) {
    if (io_uring_sqe* entry = io_uring_get_sqe(&linux_->ring)) {
      io_uring_prep_poll_add(entry, wakeup_.get(), POLLIN);
      entry->user_data = id_wakeup;
      wakeup_armed_ = true;
    }
  }
  (void)io_uring_submit_and_wait(&linux_->ring, wakeup_armed_ ? 1 : 0);
  new_ = io_uring_sq_ready(&linux_->ring);
}

void worker_ring::wake() const {
  while (::eventfd_write(wakeup_.get(), 1) != 0 && errno == EINTR) {
  }
}

bool worker_ring::cancel() {
  io_uring_sqe* const entry = io_uring_get_sqe(&linux_->ring);
  if (entry != nullptr) {
    io_uring_prep_cancel64(entry, 0, IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL);
    entry->user_data = id_cancel;
  }
  submit();
  return entry != nullptr;
}

std::vector<worker_ring::entry> worker_ring::under_way() const {
  const std::lock_guard hold(lock_);
  std::vector<entry> all;
  for (const slot& one : entries_) {
    if (one.taken) all.push_back(one.of);
  }
  return all;
}

}  // namespace genesys::detail
