// SPDX-License-Identifier: Apache-2.0
// The side without genesys (`fed`): the same rings, each filled and emptied by one thread of the process. A kind of
// work has say(entry, me, i), which fills the SQE of caller `me`'s i-th call, and is_right(returned, me, i).
#pragma once

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "direct/limits.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace direct {

using u64 = std::uint64_t;

// A ring as kernels have it (IORING_SETUP_SQPOLL). One thread of the process fills and empties it.
class fed_ring {
 public:
  fed_ring() {
    io_uring_params how{};
    how.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE;
    how.cq_entries = 4 * entries;
    how.sq_thread_idle = 2;
    fd_ = static_cast<int>(::syscall(SYS_io_uring_setup, entries, &how));
    if (fd_ < 0) throw measure::failure(std::string("io_uring_setup: ") + std::strerror(errno));
    ring_bytes_ = std::max(how.sq_off.array + entries * sizeof(unsigned),
                           how.cq_off.cqes + how.cq_entries * sizeof(io_uring_cqe));
    ring_ = static_cast<char*>(map(ring_bytes_, IORING_OFF_SQ_RING));
    queue_ = static_cast<io_uring_sqe*>(map(entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
    const auto word = [&](unsigned offset) { return reinterpret_cast<unsigned*>(ring_ + offset); };
    tail_ = word(how.sq_off.tail);
    flags_ = word(how.sq_off.flags);
    seen_ = word(how.cq_off.head);
    completed_ = word(how.cq_off.tail);
    completions_ = reinterpret_cast<io_uring_cqe*>(ring_ + how.cq_off.cqes);
    mask_ = how.cq_entries - 1;
    for (unsigned i = 0; i < entries; ++i) word(how.sq_off.array)[i] = i;
  }
  ~fed_ring() {
    ::munmap(ring_, ring_bytes_);
    ::munmap(queue_, entries * sizeof(io_uring_sqe));
    ::close(fd_);
  }
  fed_ring(const fed_ring&) = delete;
  fed_ring& operator=(const fed_ring&) = delete;

  // Registers the file and the memory. False: Linux does not let the process lock the memory.
  bool registers(int file, void* memory, std::size_t bytes) const {
    const iovec all{memory, bytes};
    return ::syscall(SYS_io_uring_register, fd_, IORING_REGISTER_FILES, &file, 1) == 0 &&
           ::syscall(SYS_io_uring_register, fd_, IORING_REGISTER_BUFFERS, &all, 1) == 0;
  }

  // Makes the calls of `count` callers of the work, from `first` on. Each caller begins its next call when one is
  // finished. Returns the number of calls.
  template <class Work>
  double calls(const Work& work, unsigned first, unsigned count, u64 ns, bool& right) {
    const auto end = measure::clock::now() + std::chrono::nanoseconds(ns);
    std::vector<unsigned> asked(count);
    unsigned tail = *tail_, seen = *seen_, under_way = 0, filled = 0;
    double made = 0;
    bool goes_on = true;
    const auto ask = [&](unsigned who) {
      io_uring_sqe& entry = queue_[tail++ & (entries - 1)];
      std::memset(&entry, 0, sizeof entry);
      entry.user_data = who;
      work.say(entry, first + who, asked[who]++);
      ++under_way;
      if (++filled == 32) tell(tail, filled);
    };
    for (unsigned who = 0; who < count; ++who) ask(who);
    tell(tail, filled);
    while (under_way != 0) {
      const unsigned completed = std::atomic_ref(*completed_).load(std::memory_order_acquire);
      if (completed == seen) wake();
      for (; seen != completed; ++seen) {
        const io_uring_cqe& one = completions_[seen & mask_];
        const auto who = static_cast<unsigned>(one.user_data);
        if ((one.flags & IORING_CQE_F_NOTIF) == 0) right &= work.is_right(one.res, first + who, asked[who] - 1);
        if ((one.flags & IORING_CQE_F_MORE) != 0) continue;  // Linux still uses the memory
        --under_way;
        ++made;
        if (goes_on) ask(who);
        if (seen % 32 == 31) std::atomic_ref(*seen_).store(seen + 1, std::memory_order_release);
      }
      std::atomic_ref(*seen_).store(seen, std::memory_order_release);
      tell(tail, filled);
      goes_on = goes_on && measure::clock::now() < end;
    }
    return made;
  }

 private:
  void* map(std::size_t bytes, off_t what) const {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd_, what);
    if (at == MAP_FAILED) throw measure::failure("a ring cannot be mapped");
    return at;
  }
  void tell(unsigned tail, unsigned& filled) {
    if (filled == 0) return;
    std::atomic_ref(*tail_).store(tail, std::memory_order_release);
    filled = 0;
    wake();
  }
  void wake() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if ((std::atomic_ref(*flags_).load(std::memory_order_relaxed) & IORING_SQ_NEED_WAKEUP) != 0)
      (void)::syscall(SYS_io_uring_enter, fd_, 0, 0, IORING_ENTER_SQ_WAKEUP, nullptr, 0);
  }

  int fd_ = -1;
  std::size_t ring_bytes_ = 0;
  char* ring_ = nullptr;
  io_uring_sqe* queue_ = nullptr;
  unsigned *tail_ = nullptr, *flags_ = nullptr, *seen_ = nullptr, *completed_ = nullptr, mask_ = 0;
  io_uring_cqe* completions_ = nullptr;
};

// As many rings as the runtime that they are compared with has.
class fed_rings {
 public:
  explicit fed_rings(unsigned count) : rings_(count), threads_(count) {}
  bool registers(int file, void* memory, std::size_t bytes) const {
    return std::all_of(rings_.begin(), rings_.end(),
                       [&](const fed_ring& one) { return one.registers(file, memory, bytes); });
  }
  template <class Work>
  double calls(Work work, char* memory, u64 ns) {
    work.memory = memory;
    const unsigned each = work.callers / static_cast<unsigned>(rings_.size());
    std::vector<double> made(rings_.size());
    threads_([&](unsigned rank) {
      bool right = true;
      made[rank] = rings_[rank].calls(work, rank * each, each, ns, right);
      return right;
    });
    double sum = 0;
    for (const double one : made) sum += one;
    return sum;
  }

 private:
  std::deque<fed_ring> rings_;
  baseline::native_threads threads_;
};

}  // namespace direct
