// SPDX-License-Identifier: Apache-2.0
#include "trace/recorder.h"

#include <linux/membarrier.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
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
constexpr std::size_t name_bytes_max = 255;

std::uint64_t read_clock(clockid_t which) {
  timespec now;
  ::clock_gettime(which, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Of several attempts the one that took the shortest time.
clocks_pair pair_of_clocks() {
  clocks_pair best{};
  best.within_ticks = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ticks_now(), monotonic = read_clock(CLOCK_MONOTONIC),
                        realtime = read_clock(CLOCK_REALTIME), after = ticks_now();
    if (after - before >= best.within_ticks) continue;
    best.ticks = before + (after - before) / 2;
    best.within_ticks = after - before;
    best.monotonic_ns = monotonic;
    best.realtime_ns = realtime;
  }
  return best;
}

}  // namespace

recorder::recorder(unsigned workers_max, unsigned completion_slots)
    : workers_max_(workers_max),
      completion_slots_(completion_slots),
      inside_(std::make_unique<inside[]>(workers_max + 1)) {}

recorder::~recorder() {
  stop();
  for (unsigned i = 0; rings_ && i <= workers_max_; ++i) delete rings_[i].load(std::memory_order_relaxed);
}

void recorder::start(const parameters& as) {
  stop();
  if (!rings_) {
    taken_ = std::make_unique<std::atomic<std::uint64_t>[]>(completion_slots_);
    completed_ = std::make_unique<std::atomic<std::uint64_t>[]>(completion_slots_);
    found_.words.reserve(record_ring::block_words);
    found_.places.reserve(record_ring::block_words);
    rings_ = std::make_unique<std::atomic<record_ring*>[]>(workers_max_ + 1);
  }
  output_.begin(as.file);
  data_bytes_.store(as.data_bytes, std::memory_order_relaxed);
  paths_.store(as.paths, std::memory_order_relaxed);
  forget_rings();
  for (unsigned i = 0; i < completion_slots_; ++i) {
    taken_[i].store(0, std::memory_order_relaxed);
    completed_[i].store(0, std::memory_order_relaxed);
  }
  {
    const std::lock_guard hold(lock_);
    for (auto& [run, named] : names_) named.is_written = false;
    has_new_names_ = true;
  }
  (void)::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  file_header header{};
  std::memcpy(header.magic, file_magic, sizeof header.magic);
  header.version = file_version;
  header.header_bytes = sizeof header;
  header.pid = static_cast<std::uint32_t>(::getpid());
  header.runtime = as.runtime;
  header.started_realtime_ns = read_clock(CLOCK_REALTIME);
  std::memcpy(header.describe, as.describe.data(), std::min(as.describe.size(), sizeof header.describe - 1));
  output_.put(&header, sizeof header);  // the thread writes it, because a write may wait, or raise SIGPIPE
  put_clocks();
  started_.store(ticks_now(), std::memory_order_relaxed);
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
  on_.store(true, std::memory_order_release);  // pairs with enter(), note_taken(), taken_at()
}

void recorder::stop() {
  if (!thread_.joinable()) return;
  on_.store(false, std::memory_order_seq_cst);  // pairs with enter()
  wait_for_those_inside();
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
  }
  wakeup_.notify_one();
  thread_.join();
}

// A thread that entered before on_ was false writes one record more. It makes no system call until it leaves, apart
// from reads of links, so the wait is short.
void recorder::wait_for_those_inside() {
  constexpr auto long_enough = std::chrono::milliseconds(20);  // for a store to become visible, without membarrier
  if (::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) std::this_thread::sleep_for(long_enough);
  for (unsigned i = 0; i <= workers_max_; ++i) {
    while (inside_[i].count.load(std::memory_order_acquire) != 0) std::this_thread::yield();  // pairs with leave()
  }
}

// Records that came late to an earlier recording.
void recorder::forget_rings() {
  for (unsigned i = 0; i <= workers_max_; ++i) {
    if (record_ring* const ring = rings_[i].load(std::memory_order_acquire)) {  // pairs with ring_of()
      while (ring->read(found_)) {
      }
    }
  }
}

// The thread that writes to this ring alone. Null: there is no memory for one.
record_ring* recorder::ring_of(unsigned index) noexcept {
  if (record_ring* const ring = rings_[index].load(std::memory_order_relaxed)) return ring;
  try {
    rings_[index].store(new record_ring(ring_blocks), std::memory_order_release);  // pairs with drain()
  } catch (const std::bad_alloc&) {
  }
  return rings_[index].load(std::memory_order_relaxed);
}

// A worker's first record, or one of a thread that is no worker.
void recorder::write_first(std::uint16_t worker, const std::uint64_t* words, unsigned count) noexcept {
  std::unique_lock<std::mutex> alone;
  unsigned index = worker;
  if (worker >= workers_max_) {
    alone = std::unique_lock(others_);
    index = workers_max_;
  }
  record_ring* const ring = ring_of(index);
  if (ring == nullptr) {
    output_.add_dropped(1);
  } else {
    ring->write(words, count);
  }
}

void recorder::name_run(unsigned run, const std::string& name) {
  const std::lock_guard hold(lock_);
  if (name.empty() && names_.count(run) == 0) return;
  has_new_names_ = true;
  names_[run] = {name, false};  // an empty name ends that of the last run with this number
}

std::string recorder::run_name(unsigned run) const {
  const std::lock_guard hold(lock_);
  const auto found = names_.find(run);
  return found == names_.end() ? std::string() : found->second.name;
}

void recorder::run() {
  ::pthread_setname_np(::pthread_self(), "genesys-trace");
  auto clocks_due = std::chrono::steady_clock::now() + interval;  // soon, for a reader that follows the recording
  for (bool last = false; !last;) {
    if (!drain()) {
      std::unique_lock hold(lock_);
      last = wakeup_.wait_for(hold, interval, [this] { return stopping_; });
    }
    if (const auto now = std::chrono::steady_clock::now(); now >= clocks_due && output_.has_space()) {
      put_clocks();
      clocks_due = now + clocks_interval;
    }
    // While a pipe's reader is slow, the rings keep what they can, and count what they lose.
    (void)output_.write(static_cast<int>(interval.count()));
  }
  do {
    if (!output_.write(timeout_ms)) output_.give_up();
  } while (drain());
  put_clocks();
  put_section({sizeof(section_header), section_kind::end, no_worker, 0, 0, 0}, nullptr, 0);
  if (!output_.write(timeout_ms)) output_.give_up();
}

// One round over the rings, as far as there is space. Returns whether there is probably more.
bool recorder::drain() {
  bool more = false;
  for (unsigned i = 0; i <= workers_max_ && output_.has_space(); ++i) {
    next_ring_ = next_ring_ == workers_max_ ? 0 : next_ring_ + 1;
    record_ring* const ring = rings_[next_ring_].load(std::memory_order_acquire);  // pairs with ring_of()
    if (ring == nullptr || !ring->read(found_)) continue;
    put_names();  // also of the runs of these calls
    put_calls(next_ring_ == workers_max_ ? no_worker : static_cast<std::uint16_t>(next_ring_));
    more = true;
  }
  return more;
}

// Sections are whole in the file unless the process is killed or the disk is full.
void recorder::put_section(const section_header& header, const void* content, std::size_t bytes) {
  output_.put(&header, sizeof header);
  output_.put(content, bytes);
}

void recorder::put_calls(std::uint16_t worker) {
  const auto count = static_cast<std::uint32_t>(found_.places.size());
  if (found_.lost != 0) {
    output_.add_dropped(found_.lost);
    for (std::uint64_t left = found_.lost, first = found_.first - found_.lost; left != 0;) {
      const auto some = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, ~std::uint32_t{0}));
      put_section({sizeof(section_header), section_kind::dropped, worker, first, some, 0}, nullptr, 0);
      left -= some, first += some;
    }
  }
  if (count == 0) return;
  const std::size_t words_bytes = found_.words.size() * sizeof found_.words[0];
  found_.places.resize((count + 3u) / 4 * 4);
  const std::size_t places_bytes = found_.places.size() * sizeof found_.places[0];
  put_section({static_cast<std::uint32_t>(sizeof(section_header) + words_bytes + places_bytes), section_kind::calls,
               worker, found_.first, count, static_cast<std::uint32_t>(found_.words.size())},
              found_.words.data(), words_bytes);
  output_.put(found_.places.data(), places_bytes);
  output_.add_calls(count);
}

void recorder::put_clocks() {
  const clocks_pair now = pair_of_clocks();
  put_section({sizeof(section_header) + sizeof now, section_kind::clocks, no_worker, 0, 0, 0}, &now, sizeof now);
}

void recorder::put_names() {
  const std::lock_guard hold(lock_);
  if (!has_new_names_) return;
  for (auto& [run, named] : names_) {
    if (named.is_written) continue;
    if (!output_.has_space()) return;
    named.is_written = true;
    char text[name_bytes_max + 1] = {};
    const std::size_t length = std::min(named.name.size(), name_bytes_max), bytes = (length + 8) / 8 * 8;
    std::memcpy(text, named.name.data(), length);
    put_section({static_cast<std::uint32_t>(sizeof(section_header) + bytes), section_kind::run, no_worker, run, 0, 0},
                text, bytes);
  }
  has_new_names_ = false;
}

}  // namespace genesys::trace
