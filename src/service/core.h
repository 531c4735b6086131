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
#include <vector>

#include "genesys/detail/wire/abort.h"
#include "genesys/detail/wire/service.h"
#include "genesys/resident_kernel.h"
#include "genesys/service.h"
#include "service/buffers.h"
#include "service/costs.h"
#include "service/free_slots.h"
#include "service/kernel_launcher.h"
#include "service/loader.h"
#include "service/rows.h"
#include "service/service_counters.h"
#include "service/shared_memory.h"
#include "service/shared_window.h"
#include "service/twin_threads.h"
#include "target/device.h"

namespace genesys::detail::services {

// What the submitter of a request keeps. call() has it on its stack; a ticket's is deleted by the last who knows it.
struct call_state {
  u32 slot = 0, use = 0;
  bool is_ticket = false;
  bool by_twin = false;    // the GPU never had it
  bool by_launch = false;  // it has a launch of its own
  // For the choice between the GPU and the twin.
  bool by_choice = false;  // the twin answers although the GPU could
  double load = 0;         // of the chosen path; 0: the call's time is not learnt
  u64 began_ns = 0;
  u32 code = 0, size_class = 0;
  // For the twin.
  u32 row = 0, blocks = 0;
  bool may_use_twin = true;
  const packed_arguments* with = nullptr;
  std::unique_ptr<packed_arguments> kept;  // of a ticket, whose `with` it is
  long result = 0;
  std::atomic<u32> done{0};    // the result is there
  std::atomic<u32> owners{1};  // of a ticket 2 until it is done: the ticket, and the thread that delivers the result
};

class child_launcher;

class core final : private loader::host, public resident_kernel {
 public:
  // Throws error.
  core(program what, const service_options& chosen);
  // Frees the memory, unless a kernel may still use it. end() comes before.
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  // The end, as service_server's destructor describes it. Tickets may still look at what is theirs.
  void end();

  device_kind kind() const;
  device& on();                                           // throws error(bad_option): the device is in another process
  const child_launcher* child() const { return child_; }  // null: the server is not isolated
  std::string describe() const;
  service_counts counts() const;
  service_processes processes() const;
  void report(std::ostream& to) const;
  row_table& rows() { return *rows_; }
  loader& files() { return *loader_; }
  u32 code_of(const std::type_info& type) const;  // throws error(bad_option)
  bool is_isolated() const { return chosen_.isolated; }
  buffers& memory() { return *buffers_; }
  // Memory of another process, mapped where the child can map it, too. Throws error.
  void* map_shared(int fd, std::size_t bytes);
  void unmap_shared(void* memory);
  // After end(): the kernel has not left, and may use all memory that it knew.
  bool kernel_stays() const { return ended_ && !kernel_has_left_; }
  // A block may still use memory: the kernel stays, or a request that has failed goes on. CUDA would wait for the
  // kernel's end before it lets memory go.
  bool may_use_memory() const { return kernel_stays() || (!is_isolated() && has_late_requests()); }

  // Q1 to Q4. 0, or why it was not submitted. The monitor attends the request of a ticket.
  long submit(u32 row, u32 version, const packed_arguments& with, const service_call& how, call_state& call);
  // Q1 to Q4 for several requests of one service, with fewer atomic operations. results[i] as of submit().
  void submit_batch(u32 row, u32 version, std::span<const packed_arguments> with, const service_call& how,
                    std::span<const std::unique_ptr<call_state>> calls, std::span<long> results);
  // Of a call that is a sample for the report.
  void add_times(const call_state& call, u64 published_ns, u64 completed_ns) {
    counters_.add(number_in_report(call.code), published_ns, completed_ns);
  }
  // After wait(), for calls: their time is a sample.
  void learn(const call_state& call);
  // Q5 to Q7: waits for the result. One thread.
  long wait(call_state& call);
  // Q6, Q7 by the submitter. True: call.result is there.
  bool collect(call_state& call);

  // raiser.cpp
  bool serve(const aborts::raiser_context& raiser) override;
  bool has_left(const aborts::raiser_context& raiser) override;
  u32 raisers_ended();

 private:
  // Of a completion slot. `word` is {use : 32 | is_in_flight : 1}: who changes it from in flight has collected the
  // request.
  struct alignas(64) slot_record {
    std::atomic<u64> word{0};
    std::atomic<call_state*> call{nullptr};
    std::atomic<u64> watched_ns{0};  // since when the monitor attends it: its time limit counts from there
    std::atomic<u32> row{0};
    std::atomic<u32> by_launch{0};
    std::atomic<int> failure{0};  // the result if the GPU's side is replaced because of this request
  };
  struct alignas(64) sleeping {
    std::mutex lock;
    std::condition_variable woken;
  };
  static constexpr u32 sleeping_count = 16;
  static constexpr u64 in_flight = 1;

  // Of the GPU's side. `failing`: it does not get requests, but may still write. `lost`: it writes nothing any more, so
  // a request without a completion never gets one. A server that is not isolated stays lost.
  enum class side : u32 { up, failing, lost };

  // submit.cpp
  u32 take_slot(when_full full, bool has_twin, long& why_not);
  void remember(call_state& call, u32 row, const service_call& how, const packed_arguments& with, bool has_twin);
  void use_slot(u32 slot, u32 row, call_state& call);
  static request_header header_of(u32 row, u32 version, const packed_arguments& with, const service_call& how,
                                  const call_state& call);
  void store_request(u64 sequence, const request_header& header, const packed_arguments& with);

  // own_launch.cpp
  bool can_launch(u32 code) const;
  void launch_request(const call_state& call);

  // collect.cpp
  enum class after { free, retire };
  enum class seen { nothing, collected, lost };
  bool take(u32 slot, u32 use);
  void give_back(u32 slot, after then);
  bool finish(u32 slot, u32 use, after then);
  void give_slot(u32 slot);
  seen look(u32 slot, u32 use, long& result);
  void blame(u32 slot, u32 use, int failure, const char* why);
  void deliver(u32 slot, call_state* call, long result);
  bool collect_for_submitter(u32 slot, u64 now);

  // redo.cpp
  const twin_entry* twin_of(u32 row, bool may_use_twin) const;
  long run_twin(const call_state& call);
  void submit_to_twin(call_state& call);
  long redo(call_state& call, int failure);
  bool redo_for_submitter(u32 slot, u32 use, call_state& call);
  void redo_later(u32 slot, u32 use, call_state* call);

  // report.cpp
  void count_request(const call_state& call, path by);
  u32 number_in_report(u32 code) const;
  std::string name_in_report(u32 number) const;

  // dispatch.cpp
  std::string name_of(u32 code) const;
  cost_table& costs();
  void keep_costs() const;
  long choose_path(const service_call& how, call_state& call);
  void choose_by_cost(const service_call& how, const twin_entry* twin, call_state& call);

  // isolate.cpp
  void open_child();
  void end_child(u64 deadline);
  void supervise();
  void replace_child();
  bool start_child();
  bool hold_all_slots();
  void begin_again();
  bool supervisor_sleeps(int timeout_ms);
  void wake_supervisor();

  // launches.cpp
  void look_at_kernel();
  void launch_next();
  u32 launch_one();
  serve_context context(u32 launch);
  void look_for_failure();
  void fail(const std::string& why);

  // exchange.cpp
  link_target target() override { return launcher_->target(); }
  unsigned threads_in_block() const override { return shape_.threads; }
  void exchange(const kernel_image& image, unsigned drain_ms) override;
  void wait_until_gone(u64 deadline);
  u32 launch_swapped();
  void measure_pause(u32 launch, u64 stopped);

  // monitor.cpp
  void watch(u32 slot);
  void unwatch(u32 slot);
  void monitor();
  void monitor_sleeps();

  // core.cpp
  void open_device_here();
  void stop_monitor();
  u32 requests_in_flight() const;
  void cancel_requests();
  bool kernel_left(u64 deadline);
  bool can_come_back() const { return chosen_.isolated && !never_again_.load(std::memory_order_relaxed); }
  void free_memory();

  const program program_;
  service_options chosen_;
  u32 slots_log2_ = 0;
  kernel_shape shape_;
  std::unique_ptr<device> on_;  // null: the child has it
  shared_memory control_;       // of an isolated server: what the kernel reads and writes
  std::unique_ptr<kernel_launcher> launcher_;
  child_launcher* child_ = nullptr;  // launcher_, if the server is isolated
  std::unique_ptr<row_table> rows_;
  std::unique_ptr<loader> loader_;
  std::unique_ptr<buffers> buffers_;
  shared_window window_{0};

  // Memory of both sides, and of the device.
  request_slot* requests_ = nullptr;
  completion_slot* completions_ = nullptr;
  pinned_words* words_ = nullptr;
  service_row* pinned_rows_ = nullptr;
  device_state* state_ = nullptr;
  share_record* shares_ = nullptr;
  launch_record* launch_records_ = nullptr;

  free_slots free_;
  std::unique_ptr<slot_record[]> records_;
  alignas(64) std::atomic<u64> tail_{0};
  alignas(64) std::atomic<u32> current_{0};  // the launch under way, or the last one; changes under launching_
  std::atomic<side> gpu_{side::up};          // becomes up under launching_
  std::atomic<bool> ending_{false};
  std::mutex launching_;
  bool closed_ = false;  // no more launches; needs launching_
  u64 looked_ns_ = 0;    // for failures; the monitor's

  std::mutex raiser_lock_;                  // behind launching_
  aborts::raiser_words* raiser_ = nullptr;  // until it has left; needs raiser_lock_
  u32 raisers_ended_ = 0;                   // needs raiser_lock_

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

  // The supervisor of an isolated server replaces the child.
  std::thread supervisor_;
  std::atomic<bool> supervisor_stops_{false}, never_again_{false};
  int supervisor_wake_ = -1;  // an eventfd
  u32 failures_ = 0;          // in a row
  u64 served_since_ns_ = 0;

  std::unique_ptr<twin_threads> twins_;
  std::atomic<u32> twins_running_{0};

  service_counters counters_;

  std::mutex costs_lock_;
  std::unique_ptr<cost_table> costs_;              // needs costs_lock_
  std::atomic<cost_table*> known_costs_{nullptr};  // costs_
  std::string costs_device_;
  u32 cores_ = 1;

  bool kernel_has_left_ = false;    // set by end()
  std::atomic<bool> ended_{false};  // end() is over; kernel_has_left_ does not change any more
  std::atomic<u64> launches_{0}, malformed_{0}, timed_out_{0};
  std::atomic<u64> other_requests_{0};  // of children that are dead, and those that only twins had
  std::atomic<u64> launched_{0};        // requests with launches of their own
  std::atomic<u32> launched_now_{0};    // of these, in flight
  std::atomic<u64> by_twins_{0}, by_choice_{0}, redone_{0}, lost_{0}, replaced_{0};
  bool has_late_requests() const;  // in slots that were retired
  std::atomic<u32> retired_{0};    // slots
  mutable std::mutex late_lock_;
  std::vector<u32> late_;  // under late_lock_: retired slots
  std::atomic<u64> load_us_{0}, pause_us_{0}, pause_us_most_{0};
};

}  // namespace genesys::detail::services
