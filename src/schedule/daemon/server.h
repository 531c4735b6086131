// SPDX-License-Identifier: Apache-2.0
// The scheduling daemon: who is a member, with which nice value, and what the board says. One thread runs it. It sleeps
// in epoll_wait(2); only while a member is held it also looks at the lines at each tick.
//
// What members write is input from outside: each message is decoded once (message.h), each word of a line is read once
// for a tick. A member cannot make the daemon wait: no send and no receive blocks.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "schedule/daemon/arbiter.h"
#include "schedule/daemon/kernel_report.h"
#include "schedule/daemon/listening_socket.h"
#include "schedule/daemon/message.h"
#include "schedule/daemon/rights.h"
#include "schedule/daemon/sealed_page.h"

namespace genesys::schedule::processes {

inline constexpr unsigned connections_max = 192, connections_of_user_max = 80, members_of_user_max = 64;

struct server_options {
  std::string socket;          // its path; the directory exists
  std::optional<gid_t> group;  // who may connect besides root and the daemon's user. Null: all, if it runs as root
  std::vector<allowed_nice> allowed;
  arbiter_options aging;
};

class server {
 public:
  // Listens when it returns. Throws std::runtime_error, which says what to do.
  explicit server(server_options options);
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  // Until stop().
  void run();
  // From any thread or signal handler.
  void stop();

 private:
  enum class progress { connected, joining, member };
  using connection_id = u64;
  // Of the kernels of a member. A report is shown when it is whole. Rows that come too fast are dropped.
  struct member_report {
    std::vector<kernel_row> shown, incoming;
    time_ns counted_from = 0;
    unsigned counted = 0;
  };
  struct connection {
    connection_id id = 0;
    descriptor socket;
    peer who;
    progress at = progress::connected;
    time_ns since = 0;  // connected
    int nice = 0;
    u64 device = 0;
    u32 slot = 0, generation = 0, device_index = 0;
    descriptor page;
    page_mapping line;  // read only
    bool held = false;
    time_ns held_changed = 0;
    std::unique_ptr<member_report> report;
  };

  bool watch(int fd, u64 tag);
  void accept_one();
  bool make_space(uid_t uid, time_ns now);
  void receive_from(connection_id id);
  void remove(connection_id id);

  // False: the connection ends.
  bool handle(connection& from, const request& asked);
  bool join(connection& from, const request& asked);
  bool enter(connection& from);
  bool fetch(connection& from, const request& asked);
  bool renice(connection& from, int nice);
  bool list(connection& to);
  bool kernels_of(connection& to, const request& asked);
  bool take_report(connection& from, const packet& got);
  std::optional<reply> why_refused(const connection& from, int nice) const;

  u32 index_of_device(const connection& of) const;
  void set_slot(const connection& of);
  void publish_board();
  void begin_ticks();
  void tick();
  std::array<member_sample, members_max> read_lines() const;

  server_options options_;
  listening_socket listening_;
  descriptor events_, stop_, timer_, board_page_;
  page_mapping board_;
  arbiter arbiter_;
  std::map<connection_id, connection> connections_;
  std::array<connection_id, members_max> member_at_{};  // 0: free
  connection_id next_id_ = 1;
  u32 generations_ = 0;
  bool ticking_ = false, board_changed_ = false;
  unsigned quiet_ticks_ = 0;
};

}  // namespace genesys::schedule::processes
