// SPDX-License-Identifier: Apache-2.0
// Records calls in a file while a runtime serves them. Each worker writes to a ring of its own, all other threads share
// one; a thread of the recorder copies the rings to the file. Where it cannot keep up, or the file takes no more, the
// oldest records are lost, and counted. The core owns it; completion_writer::complete() hands it the calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "trace/prefetch.h"
#include "trace/record.h"
#include "trace/record_ring.h"
#include "trace/recording_output.h"
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
  // process; `describe`: its description. Both go into the header. `data_bytes`: how much of the memory behind an
  // argument is recorded; 0: none. `paths`: the paths of descriptors, too. Throws std::system_error, bad_alloc. One
  // thread at a time calls start() and stop().
  struct parameters {
    int file;
    unsigned runtime;
    std::string describe;
    unsigned data_bytes = 0;
    bool paths = false;
  };
  void start(const parameters& as);
  // Writes what is left, and ends; it waits as long as the disk takes for that. Without a recording it does nothing.
  void stop();

  // Whether calls are recorded. A serving thread asks before each; it is one load. (A build without tracing is what a
  // bench compares with.)
  bool is_on() const {
#if GENESYS_WITHOUT_TRACING
    return false;
#else
    return on_.load(std::memory_order_relaxed);
#endif
  }
  unsigned data_bytes() const { return data_bytes_.load(std::memory_order_relaxed); }
  bool records_paths() const { return paths_.load(std::memory_order_relaxed); }
  // When the recording began, in ticks: no two have the same.
  std::uint64_t started() const { return started_.load(std::memory_order_relaxed); }

  // Before a thread completes a call that is recorded, it enters; after record() it leaves. stop() waits for those that
  // are between, so that no record is lost. False: there is no recording any more, and the thread has not entered. (A
  // worker's store and load are not ordered here; stop() has membarrier(2) order them.)
  [[gnu::always_inline]] bool enter(std::uint16_t worker) noexcept {
    if (worker < workers_max_) {
      inside_[worker].count.store(1, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      inside_[workers_max_].count.fetch_add(1, std::memory_order_seq_cst);  // pairs with stop()
    }
    if (on_.load(std::memory_order_acquire)) return true;  // pairs with start(): rings_ are there
    leave(worker);
    return false;
  }
  [[gnu::always_inline]] void leave(std::uint16_t worker) noexcept {
    if (worker < workers_max_) {
      inside_[worker].count.store(0, std::memory_order_release);  // pairs with stop()
    } else {
      inside_[workers_max_].count.fetch_sub(1, std::memory_order_release);
    }
  }
  // Between the two, worker number `worker` alone, or, with no_worker, any other thread. `data`: packed_data, so many
  // words, at most data_words_max. (It is inlined, because each return after a system call is costly: see
  // executor.cpp.)
  [[gnu::always_inline]] void record(std::uint16_t worker, const call_record& call, const std::uint64_t* data = nullptr,
                                     unsigned data_words = 0) noexcept {
    std::uint64_t words[record_words_max + 1];
    const unsigned count = pack(call, data, data_words, words);
    record_ring* const ring = worker < workers_max_ ? rings_[worker].load(std::memory_order_relaxed) : nullptr;
    if (ring != nullptr) [[likely]] {
      ring->write(words, count);
    } else {
      write_first(worker, words, count);
    }
  }

  // Names a run in this recording, and in later ones. Any thread.
  void name_run(unsigned run, const std::string& name);
  std::string run_name(unsigned run) const;

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

  // The last call at the completion slot, if this recording has it; and this call is the next. Between the two calls
  // the kernel has released the slot, so only one thread at a time has the slot.
  struct completed_call {
    std::uint64_t at = 0;  // when it was completed, in ticks; 0: not known
    std::uint32_t number = 0;
  };
  completed_call exchange_completed(std::uint32_t completion_slot, completed_call now) noexcept {
    if (!on_.load(std::memory_order_acquire) || completion_slot >= completion_slots_) return {};
    std::atomic<std::uint64_t>& note = completed_[completion_slot];
    const std::uint64_t started = started_.load(std::memory_order_relaxed),
                        before = note.load(std::memory_order_relaxed);
    note.store((now.at - started) << number_bits | (now.number & number_mask), std::memory_order_relaxed);
    if (before == 0) return {};
    return {started + (before >> number_bits), static_cast<std::uint32_t>(before & number_mask)};
  }
  // Some time before exchange_completed(), so that it need not wait for memory.
  void prefetch(std::uint32_t completion_slot) const noexcept {
    if (on_.load(std::memory_order_acquire) && completion_slot < completion_slots_)
      prefetch_to_write(&completed_[completion_slot]);
  }

  struct counts {
    std::uint64_t written = 0;  // calls in files
    std::uint64_t dropped = 0;  // calls that are lost
    int error = 0;              // errno of the file, or 0
  };
  counts so_far() const { return {output_.written(), output_.dropped(), output_.error()}; }

 private:
  static constexpr std::size_t ring_blocks = 128;  // 8 MiB, about 150,000 calls: 50 ms at 3 million calls a second

  static constexpr int number_bits = 12;
  static constexpr std::uint64_t number_mask = (1u << number_bits) - 1;

  void forget_rings();
  record_ring* ring_of(unsigned index) noexcept;
  [[gnu::noinline]] void write_first(std::uint16_t worker, const std::uint64_t* words, unsigned count) noexcept;
  void wait_for_those_inside();
  void run();
  bool drain();
  void put_section(const section_header& header, const void* content, std::size_t bytes);
  void put_calls(std::uint16_t worker);
  void put_clocks();
  void put_names();

  const unsigned workers_max_, completion_slots_;
  // By worker; the last one is for all other threads. Made by start(); a ring stays until the end.
  std::unique_ptr<std::atomic<record_ring*>[]> rings_;
  // By completion slot: when a call was taken; and when the last one was completed, in ticks since the start of the
  // recording, shifted, with its number below.
  std::unique_ptr<std::atomic<std::uint64_t>[]> taken_, completed_;
  std::mutex others_;  // the writers of the last ring
  std::atomic<bool> on_{false}, paths_{false};
  std::atomic<unsigned> data_bytes_{0};
  std::atomic<std::uint64_t> started_{0};  // in ticks
  struct alignas(64) inside {
    std::atomic<unsigned> count{0};
  };
  const std::unique_ptr<inside[]> inside_;  // by worker; the last one is for all other threads

  std::thread thread_;
  mutable std::mutex lock_;  // guards stopping_, has_new_names_ and names_
  std::condition_variable wakeup_;
  bool stopping_ = false;
  struct named_run {
    std::string name;
    bool is_written = false;
  };
  bool has_new_names_ = false;
  std::map<unsigned, named_run> names_;  // of runs, under lock_

  // The recorder's thread alone, and start() and stop() without it.
  recording_output output_;
  ring_content found_;
  unsigned next_ring_ = 0;
};

}  // namespace genesys::trace
