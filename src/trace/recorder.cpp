// SPDX-License-Identifier: Apache-2.0
#include "trace/recorder.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

namespace genesys::trace {
namespace {

constexpr auto interval = std::chrono::milliseconds(5);  // of looks at the rings that found little
constexpr auto clocks_interval = std::chrono::seconds(1);
constexpr int timeout_ms = 1000;  // for a file that takes nothing
constexpr std::size_t buffer_bytes = 1 << 20;

std::uint64_t read_clock(clockid_t which) {
  timespec now;
  ::clock_gettime(which, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Of several attempts the one that took the shortest time.
clocks_record pair_of_clocks() {
  clocks_record best{};
  best.within_ticks = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ticks_now(), monotonic = read_clock(CLOCK_MONOTONIC);
    const std::uint64_t after = ticks_now(), realtime = read_clock(CLOCK_REALTIME);
    if (after - before >= best.within_ticks) continue;
    best.ticks = before + (after - before) / 2;
    best.within_ticks = after - before;
    best.monotonic_ns = monotonic;
    best.realtime_ns = realtime;
  }
  best.kind = record_kind::clocks;
  return best;
}

}  // namespace

recorder::recorder(unsigned workers_max, unsigned completion_slots)
    : workers_max_(workers_max), completion_slots_(completion_slots) {}

recorder::~recorder() {
  stop();
  for (unsigned i = 0; rings_ && i <= workers_max_; ++i) delete rings_[i].load(std::memory_order_relaxed);
}

void recorder::start(int file, unsigned runtime, const std::string& describe) {
  stop();
  if (!rings_) {
    taken_ = std::make_unique<std::atomic<std::uint64_t>[]>(completion_slots_);
    buffer_.reserve(buffer_bytes + sizeof(call_record));
    copied_.resize(copied_at_once);
    rings_ = std::make_unique<std::atomic<record_ring*>[]>(workers_max_ + 1);
  }
  file_ = file;
  error_.store(0, std::memory_order_relaxed);
  forget_rings();
  file_header header{};
  std::memcpy(header.magic, file_magic, sizeof header.magic);
  header.version = file_version;
  header.record_bytes = sizeof(call_record);
  header.pid = static_cast<std::uint32_t>(::getpid());
  header.runtime = runtime;
  header.started_realtime_ns = read_clock(CLOCK_REALTIME);
  std::memcpy(header.describe, describe.data(), std::min(describe.size(), sizeof header.describe - 1));
  put(&header, sizeof header);  // the thread writes it, because a write may wait, or raise SIGPIPE
  put_clocks();
  stopping_ = false;
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it
  const auto restore = [&] { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); };
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    restore();
    throw;
  }
  restore();
  on_.store(true, std::memory_order_release);  // pairs with record(), note_taken(), taken_at()
}

void recorder::stop() {
  if (!thread_.joinable()) return;
  on_.store(false, std::memory_order_relaxed);
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
  }
  wakeup_.notify_one();
  thread_.join();
  file_ = -1;
}

// Records that came late to an earlier recording.
void recorder::forget_rings() {
  for (unsigned i = 0; i <= workers_max_; ++i) {
    std::uint64_t lost = 0;
    if (record_ring* const ring = rings_[i].load(std::memory_order_acquire)) {  // pairs with ring_of()
      while (ring->read(copied_.data(), copied_.size(), lost) != 0) {
      }
    }
  }
}

// The thread that writes to this ring alone. Null: there is no memory for one.
record_ring* recorder::ring_of(unsigned index) noexcept {
  if (record_ring* const ring = rings_[index].load(std::memory_order_relaxed)) return ring;
  try {
    rings_[index].store(new record_ring(ring_records), std::memory_order_release);  // pairs with drain()
  } catch (const std::bad_alloc&) {
  }
  return rings_[index].load(std::memory_order_relaxed);
}

void recorder::record(std::uint16_t worker, call_record& call) noexcept {
  if (!on_.load(std::memory_order_acquire)) return;  // pairs with start(): rings_ are there
  call.kind = record_kind::call;
  call.worker = worker;
  std::unique_lock<std::mutex> alone;
  unsigned index = worker;
  if (worker == no_worker) {
    alone = std::unique_lock(others_);
    index = workers_max_;
  }
  record_ring* const ring = ring_of(index);
  if (ring == nullptr) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
  } else {
    ring->write(call);
  }
}

void recorder::run() {
  ::pthread_setname_np(::pthread_self(), "genesys-trace");
  auto clocks_due = std::chrono::steady_clock::now() + clocks_interval;
  for (bool last = false; !last;) {
    if (!drain()) {
      std::unique_lock hold(lock_);
      last = wakeup_.wait_for(hold, interval, [this] { return stopping_; });
    }
    if (const auto now = std::chrono::steady_clock::now(); now >= clocks_due) {
      put_clocks();
      clocks_due = now + clocks_interval;
    }
    flush();
  }
  while (drain()) flush();
  put_clocks();
  flush();
}

// One round over the rings. Returns whether there is probably more.
bool recorder::drain() {
  bool more = false;
  for (unsigned i = 0; i <= workers_max_; ++i) {
    record_ring* const ring = rings_[i].load(std::memory_order_acquire);  // pairs with ring_of()
    if (ring == nullptr) continue;
    const std::uint64_t first = ring->next();
    std::uint64_t lost = 0;
    const std::size_t count = ring->read(copied_.data(), copied_.size(), lost);
    if (lost != 0) put_dropped(i == workers_max_ ? no_worker : static_cast<std::uint16_t>(i), first, lost);
    put(copied_.data(), count * sizeof(call_record));
    buffered_calls_ += count;
    more = more || count == copied_.size();
  }
  return more;
}

void recorder::put(const void* from, std::size_t bytes) {
  const char* const begin = static_cast<const char*>(from);
  if (buffer_.size() + bytes > buffer_bytes) flush();
  buffer_.insert(buffer_.end(), begin, begin + bytes);
}

void recorder::put_clocks() {
  const clocks_record now = pair_of_clocks();
  put(&now, sizeof now);
}

void recorder::put_dropped(std::uint16_t worker, std::uint64_t first, std::uint64_t count) {
  dropped_.fetch_add(count, std::memory_order_relaxed);
  dropped_record lost{};
  lost.kind = record_kind::dropped;
  lost.worker = worker;
  lost.first = first;
  lost.count = count;
  put(&lost, sizeof lost);
}

// After an error (a full disk) the recorder goes on to empty the rings, and counts their records as dropped.
void recorder::flush() {
  const char* from = buffer_.data();
  std::size_t left = buffer_.size();
  while (left != 0 && error_.load(std::memory_order_relaxed) == 0) {
    const ssize_t done = ::write(file_, from, left);
    if (done >= 0) {
      from += done;
      left -= static_cast<std::size_t>(done);
    } else if (errno == EAGAIN) {  // a pipe, say: the wait for its reader has a bound
      pollfd looked{file_, POLLOUT, 0};
      if (::poll(&looked, 1, timeout_ms) == 0) error_.store(EAGAIN, std::memory_order_relaxed);
    } else if (errno != EINTR) {
      error_.store(errno, std::memory_order_relaxed);
    }
  }
  (left == 0 ? written_ : dropped_).fetch_add(std::exchange(buffered_calls_, 0), std::memory_order_relaxed);
  buffer_.clear();
}

recorder::counts recorder::so_far() const {
  return {written_.load(std::memory_order_relaxed), dropped_.load(std::memory_order_relaxed),
          error_.load(std::memory_order_relaxed)};
}

}  // namespace genesys::trace
