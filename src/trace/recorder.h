// SPDX-License-Identifier: Apache-2.0
// Records calls in a file while a runtime serves them. Each worker writes to a ring of its own, all other threads share
// one; a thread of the recorder copies the rings to the file. Where it cannot keep up, or the file takes no more, the
// oldest records are lost, and counted. The core owns it; completion_writer::complete() hands it the calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "trace/record_ring.h"
#include "trace/ticks.h"

namespace genesys::trace {

class recorder {
 public:
  // `workers_max`: one ring each, made when a worker first records.
  recorder(unsigned workers_max, unsigned completion_slots);
  // No thread records any more.
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // Begins to write to an empty file, which stays the caller's and open until stop(). `runtime`: its number in the
  // process; `describe`: its description. Both go into the header. Throws std::system_error, bad_alloc. One thread at a
  // time calls start() and stop().
  void start(int file, unsigned runtime, const std::string& describe);
  // Writes what is left, and ends; it waits as long as the disk takes for that. Without a recording it does nothing.
  void stop();

  // Whether calls are recorded. A serving thread asks before each; it is one load.
  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  // Worker number `worker` alone, or, with no_worker, any other thread.
  void record(std::uint16_t worker, call_record& call) noexcept;

  // Notes when a call was taken that another thread, or this one later, completes; by its completion slot, which may be
  // any number, because a kernel wrote it. The note is good for one taken_at(); 0: there is none.
  void note_taken(std::uint32_t completion_slot, std::uint64_t taken) noexcept {
    if (on_.load(std::memory_order_acquire) && completion_slot < completion_slots_)
      taken_[completion_slot].store(taken, std::memory_order_relaxed);
  }
  std::uint64_t taken_at(std::uint32_t completion_slot) noexcept {
    if (!on_.load(std::memory_order_acquire) || completion_slot >= completion_slots_)  // pairs with start()
      return 0;
    return taken_[completion_slot].exchange(0, std::memory_order_relaxed);
  }

  struct counts {
    std::uint64_t written = 0;  // calls in files
    std::uint64_t dropped = 0;  // calls that are lost
    int error = 0;              // errno of the file, or 0
  };
  counts so_far() const;

 private:
  static constexpr std::size_t ring_records = 1 << 16;  // 8 MiB: 20 ms at 3 million calls a second
  static constexpr std::size_t copied_at_once = 4096;

  void forget_rings();
  record_ring* ring_of(unsigned index) noexcept;
  void run();
  bool drain();
  void put(const void* from, std::size_t bytes);
  void put_clocks();
  void put_dropped(std::uint16_t worker, std::uint64_t first, std::uint64_t count);
  void flush();

  const unsigned workers_max_, completion_slots_;
  // By worker; the last one is for all other threads. Made by start(); a ring stays until the end.
  std::unique_ptr<std::atomic<record_ring*>[]> rings_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> taken_;  // by completion slot
  std::mutex others_;                                    // the writers of the last ring
  std::atomic<bool> on_{false};
  std::atomic<std::uint64_t> written_{0}, dropped_{0};
  std::atomic<int> error_{0};

  std::thread thread_;
  std::mutex lock_;  // guards stopping_
  std::condition_variable wakeup_;
  bool stopping_ = false;

  // The recorder's thread alone, and start() and stop() without it.
  int file_ = -1;
  std::vector<char> buffer_;
  std::uint64_t buffered_calls_ = 0;
  std::vector<call_record> copied_;
};

}  // namespace genesys::trace
