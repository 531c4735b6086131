// SPDX-License-Identifier: Apache-2.0
// A process's part: what its scheduler asks before it launches and while its launches run (docs/schedule-processes.md).
// No call blocks except connect(), wait() and wait_alone(). One thread at a time uses a client.
//
//   client.begin()         work has come, and nothing of this process is in the GPU. hold::none: launch. Otherwise
//                          nothing may be launched yet: wait(), begin()
//   client.poll()          from then on, also before further launches. hold::abort: abort what runs; hold::drain: let
//                          it end; launch nothing
//   client.acknowledge()   nothing of this process is in the GPU any more; then wait(), begin()
//   client.end()           there is no work
//
// Without a daemon all calls return at once, and nothing is held: the process runs free. The client says that once, and
// tries to connect again. The same happens if the daemon ends or stops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schedule/daemon/arbiter.h"
#include "schedule/daemon/descriptor.h"
#include "schedule/daemon/kernel_report.h"
#include "schedule/daemon/message.h"
#include "schedule/daemon/sealed_page.h"

namespace genesys::schedule::processes {

enum class hold {
  none,
  drain,  // a process is more important only because it has aged: what runs may end
  abort,
};

struct client_options {
  std::string socket;  // empty: $GENESYS_SCHEDULED, or the default path
  int nice = 0;
  u64 device = 0;  // of the GPU, the same in all processes: made from its UUID. A process has a client for each GPU
  time_ns retry = 1'000'000'000;                // between attempts to connect
  time_ns daemon_silent = 1'000'000'000;        // a held process whose daemon does not tick for so long runs free
  std::function<void(const std::string&)> say;  // null: standard error
};

// Where the daemon listens by default: $XDG_RUNTIME_DIR/genesys/scheduled, for root /run/genesys/scheduled.
std::string default_daemon_socket();
// Where a process looks: $GENESYS_SCHEDULED, then /run/genesys/scheduled if it is there, then the user's own.
std::string daemon_socket_of_process();

class client {
 public:
  explicit client(client_options options);
  ~client();
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  // Waits until the process is a member, or it is clear that it cannot be now. Returns whether it is.
  bool connect(time_ns timeout = 1'000'000'000);
  bool is_member() const { return at_ == progress::member; }
  // Why the daemon refused, with what to do; empty: it did not. A process that was refused runs free.
  const std::string& refused() const { return refused_; }
  int error() const { return error_; }  // errno of that

  hold begin();
  hold poll();
  void acknowledge();
  void end();

  // Until poll() or begin() may return something else than before, or until `timeout` has passed; at most wait_max_ns.
  void wait(time_ns timeout);
  // Whether there is a member that this process would have to hold for.
  bool has_more_important() const;
  // Whether no less important member has launches in the GPU.
  bool alone() const;
  // After begin(): spins until each less important member has had no launches in the GPU, until this process must hold,
  // or until `timeout` has passed. Returns whether the first is the case. It does not wait for a member that was late
  // before: each time that one is late, twice as many calls leave it out.
  bool wait_alone(time_ns timeout);
  // How long the longest kernel runs, so that aging gives the process as much. 0: not known.
  void set_run(time_ns run);
  // How many other members this process knows, as far as their states can be read.
  std::size_t others() const { return others_.size() - unmapped_; }
  // Asks for another nice value. The daemon may refuse: see refused() after the next calls. It then stays as it was.
  void renice(int nice);

  // Whether somebody looks at the members' kernels, and the last report is old enough. Then report() sends a new one.
  bool wants_report() const;
  void report(std::vector<kernel_report> kernels);

  static constexpr time_ns wait_max_ns = 50'000'000;

 private:
  enum class progress { off, joining, member };
  struct other {  // another member
    u32 slot = 0, generation = 0;
    page_mapping page;  // null: its page has been asked for
    bool asked = false, gone = false;
    bool more_important = false, less_important = false, aborts = false;
    unsigned late = 0, left_out = 0;  // wait_alone(): how often it was late; calls that leave it out
    const member_line* line() const { return page.as<const member_line>(); }
  };

  void maintain();
  void try_to_connect(time_ns now);
  void receive();
  void take(packet& got);
  void enter(const reply& with);
  void leave(const std::string& why);
  void say_once(const std::string& what);
  void send(request_kind kind, int nice = 0, u32 slot = 0, u32 generation = 0);
  void ask_for_pages();
  void refresh();
  void publish(u32 state);
  hold look() const;
  void note_held();
  bool daemon_is_silent(time_ns now);

  client_options options_;
  progress at_ = progress::off;
  descriptor socket_;
  page_mapping board_page_, line_page_;
  board_page no_board_{};
  member_line no_line_{};
  const board_page* board_ = &no_board_;
  member_line* line_ = &no_line_;
  u32 seen_version_ = 0, slot_ = 0, generation_ = 0, device_ = 0;
  int effective_nice_ = 0, asked_nice_ = 0;
  bool stalled_ = false, denied_ = false;  // denied: the daemon refuses the nice value for ever
  std::vector<other> others_;
  unsigned unmapped_ = 0;  // others without a page
  u32 state_ = state_idle, beats_ = 0, run_us_ = 0, holds_ = 0;
  bool held_ = false;  // and the daemon knows it
  hold last_ = hold::none;
  u32 seen_ticks_ = 0, told_ticks_ = 0;
  time_ns ticks_changed_ = 0, next_try_ = 0, next_report_ = 0, joining_since_ = 0, checked_ = 0, asked_pages_ = 0;
  std::string refused_, last_message_;
  int error_ = 0;
};

}  // namespace genesys::schedule::processes
