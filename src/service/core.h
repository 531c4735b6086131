// SPDX-License-Identifier: Apache-2.0
// The host's side of the service protocol (genesys/detail/wire/service.h): memory, requests in flight, the launches of
// the non-stop kernel, and the monitor. Any thread may call it, unless a function says otherwise.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "genesys/detail/wire/service.h"
#include "genesys/service.h"
#include "service/buffers.h"
#include "service/free_slots.h"
#include "service/kernel_launcher.h"
#include "service/rows.h"
#include "target/device.h"

namespace genesys::detail::services {

// What the submitter of a request keeps. call() has it on its stack; a ticket's is deleted by the last who knows it.
struct call_state {
  u32 slot = 0, use = 0;
  bool is_ticket = false;
  long result = 0;
  std::atomic<u32> done{0};    // the result is there
  std::atomic<u32> owners{1};  // of a ticket 2 until it is done: the ticket, and the thread that delivers the result
};

class core {
 public:
  // Throws error.
  core(program what, const service_options& chosen);
  // Frees the memory, unless a kernel may still use it. end() comes before.
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  // The end, as service_server's destructor describes it. Tickets may still look at what is theirs.
  void end();

  device& on() { return *on_; }
  std::string describe() const;
  service_counts counts() const;
  row_table& rows() { return *rows_; }
  u32 code_of(const std::type_info& type) const;  // throws error(bad_option)
  buffers& memory() { return *buffers_; }
  // After end(): the kernel has not left, and may use all memory that it knew.
  bool kernel_stays() const { return ended_ && !kernel_has_left_; }

  // Q1 to Q4. 0, or why it was not submitted. The monitor attends the request of a ticket.
  long submit(u32 row, u32 version, const packed_arguments& with, const service_call& how, call_state& call);
  // Q1 to Q4 for several requests of one service, with fewer atomic operations. results[i] as of submit().
  void submit_batch(u32 row, u32 version, std::span<const packed_arguments> with, const service_call& how,
                    std::span<const std::unique_ptr<call_state>> calls, std::span<long> results);
  // Q5 to Q7: waits for the result. One thread.
  long wait(call_state& call);
  // Q6, Q7 by the submitter. True: call.result is there.
  bool collect(call_state& call);

 private:
  // Of a completion slot. `word` is {use : 32 | is_in_flight : 1}: who changes it from in flight has collected the
  // request.
  struct alignas(64) slot_record {
    std::atomic<u64> word{0};
    std::atomic<call_state*> call{nullptr};
    std::atomic<u64> watched_ns{0};  // since when the monitor attends it: its time limit counts from there
    std::atomic<u32> row{0};
  };
  struct alignas(64) sleeping {
    std::mutex lock;
    std::condition_variable woken;
  };
  static constexpr u32 sleeping_count = 16;
  static constexpr u64 in_flight = 1;

  // submit.cpp
  u32 take_slot(when_full full, long& why_not);
  void use_slot(u32 slot, u32 row, call_state& call);
  static request_header header_of(u32 row, u32 version, const packed_arguments& with, const service_call& how,
                                  const call_state& call);
  long why_closed() const;
  void store_request(u64 sequence, const request_header& header, const packed_arguments& with);

  // collect.cpp
  enum class after { free, retire };
  bool finish(u32 slot, u32 use, after then);
  void give_slot(u32 slot);
  bool look(u32 slot, u32 use, long& result);
  void deliver(u32 slot, call_state* call, long result);
  void collect_for_submitter(u32 slot, u64 now);

  // launches.cpp
  void look_at_kernel();
  void launch_next();
  void look_for_failure();
  void fail(const char* why);

  // monitor.cpp
  void watch(u32 slot);
  void unwatch(u32 slot);
  void monitor();
  void monitor_sleeps();

  // core.cpp
  u32 requests_in_flight() const;
  void cancel_requests();
  bool kernel_left(u64 deadline);
  void free_memory();

  const program program_;
  service_options chosen_;
  u32 slots_log2_ = 0;
  kernel_shape shape_;
  std::unique_ptr<device> on_;
  std::unique_ptr<kernel_launcher> launcher_;
  std::unique_ptr<row_table> rows_;
  std::unique_ptr<buffers> buffers_;

  // Memory of both sides, and of the device.
  request_slot* requests_ = nullptr;
  completion_slot* completions_ = nullptr;
  pinned_words* words_ = nullptr;
  device_state* state_ = nullptr;
  share_record* shares_ = nullptr;

  free_slots free_;
  std::unique_ptr<slot_record[]> records_;
  alignas(64) std::atomic<u64> tail_{0};
  alignas(64) std::atomic<u32> current_{0};  // the launch under way, or the last one; changes under launching_
  std::atomic<bool> failed_{false}, ending_{false};
  std::mutex launching_;
  bool closed_ = false;  // no more launches; needs launching_
  u64 looked_ns_ = 0;    // for failures; the monitor's

  // Threads that wait for a free slot.
  alignas(64) std::atomic<u32> slot_waiters_{0};
  std::mutex slot_lock_;
  std::condition_variable slot_freed_;

  sleeping sleeping_[sleeping_count];

  // The monitor attends the requests that are watched.
  std::unique_ptr<std::atomic<u64>[]> watched_;
  alignas(64) std::atomic<u32> watched_count_{0};
  std::atomic<bool> monitor_asleep_{false}, stopping_{false};
  std::mutex monitor_lock_;
  std::condition_variable monitor_woken_;
  std::thread monitor_;

  bool kernel_has_left_ = false;    // set by end()
  std::atomic<bool> ended_{false};  // end() is over; kernel_has_left_ does not change any more
  std::atomic<u64> launches_{0}, malformed_{0}, timed_out_{0};
  std::atomic<u32> retired_{0};  // slots
};

}  // namespace genesys::detail::services
