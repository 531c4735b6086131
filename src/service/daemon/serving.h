// SPDX-License-Identifier: Apache-2.0
// The serving thread: takes requests from the clients' rings, has the server run them, and returns their results. It
// waits for nothing but events: a client that reads no completions, writes garbage or dies delays no other one.
//
// Rounds. In each round every client may submit a few requests, and another client is the first. A client has at most
// its share of the server's slots and of bytes_in_flight_max, but always one request. The share is that of the clients
// with requests; a share of the slots is left for a client that comes. What is more waits in the client's own ring.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "genesys/serve.h"
#include "service/daemon/service_table.h"
#include "service/daemon/session.h"
#include "service/daemon/tally.h"

namespace genesys::detail::serving {

// A service that the serving thread knows. `service` is null where there is none.
struct served_row {
  numbered_service it{};
  tally counts;
  distribution times;
};

class serving {
 public:
  // `ended` is an eventfd, told when take_ended() has a session. Throws error.
  serving(service_server& server, const service_daemon_options& options, int ended);
  ~serving();
  serving(const serving&) = delete;
  serving& operator=(const serving&) = delete;

  // Requests for this service are served from here on, in every session that is adopted later. The door's thread, as
  // the next two.
  void add(numbered_service made);
  // It is unloaded: requests for it get -ENOENT.
  void remove(u32 number);
  // The session's requests are served from here on, until its process has gone.
  void adopt(std::unique_ptr<session> made);
  // Sessions that have no request in flight any more. The door's thread.
  std::vector<std::unique_ptr<session>> take_ended();
  // No more requests; waits for those in flight, shutdown_timeout_ms at most. All sessions have ended then.
  void stop();
  std::string report();

  struct totals {
    std::atomic<u64> requests{0}, bytes{0}, clients{0};
  };
  const totals& so_far() const { return totals_; }

 private:
  void run();
  // True: something has happened.
  bool round(u64 now);
  bool look_at_requests(session& of);
  bool admit(session& of, u32 busy);
  bool submit(session& of, u32 slot, u32 busy);
  void complete_request(session& to, u32 slot, request_record& of, long result, bool was_refused);
  void leave(session& who, const char* why);
  void end_sessions();
  void adopt_incoming();
  void change_services();
  served_row* row_of(u32 number);
  // -1: without a limit. True: there were events.
  bool look_at_events(long timeout_ns);
  // True: not because the time was over.
  bool sleep(u64 now, u64 progress_at);
  void receive_from(session& from);
  void finish_all();
  std::string text() const;

  service_server& server_;
  const service_daemon_options& options_;
  const int ended_event_;
  descriptor events_, wake_;

  std::map<u64, std::unique_ptr<session>> sessions_;  // the serving thread's
  u64 first_ = 0;                                     // whose turn is first: the number of a session, or a greater one
  u32 in_flight_ = 0;
  std::vector<served_row> rows_;  // services_max; a service is at its number, modulo as many
  stage_times stages_;
  tally all_;
  u64 clients_so_far_ = 0, broken_ = 0, kept_bytes_ = 0;
  totals totals_;

  std::atomic<bool> stopping_{false}, is_told_{false};
  std::mutex lock_;  // of what follows
  std::vector<std::unique_ptr<session>> incoming_, ended_;
  std::vector<numbered_service> changes_;  // with a null service: it is removed
  unsigned reports_wanted_ = 0;
  u64 reports_made_ = 0;
  std::string report_;
  bool is_running_ = true;
  std::condition_variable report_made_;
  std::thread thread_;
};

}  // namespace genesys::detail::serving
