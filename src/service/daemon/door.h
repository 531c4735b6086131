// SPDX-License-Identifier: Apache-2.0
// The door: accepts connections, checks who connects and what it may have, makes its memory, and destroys that memory
// when the client has gone. Both can take long, since the device registers the memory; so the serving thread does
// neither. Whoever may load services gives orders here, and the loading thread does them. One thread runs it.
//
// What arrives is input from outside. No send and no receive blocks, so a process that connects and says nothing delays
// nobody; it loses its place after a while if others need it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "genesys/serve.h"
#include "schedule/daemon/listening_socket.h"
#include "service/client/hello.h"
#include "service/daemon/loading.h"
#include "service/daemon/service_table.h"
#include "service/daemon/serving.h"

namespace genesys::detail::serving {

class door {
 public:
  // Listens when it returns. `ended` is the eventfd of serving. Throws error.
  door(service_server& server, serving& to, service_table services, const service_daemon_options& options, int ended);

  void run();
  // From any thread or signal handler.
  void stop();
  void ask_for_report();
  // Destroys what serving has ended. The thread of run(), or any other one after it.
  void let_go();
  // No more orders, after run().
  void stop_loading() { loading_.stop(); }

 private:
  struct newcomer {
    descriptor socket;
    peer who;
    u64 since = 0;
  };
  struct admitted {
    uid_t uid = 0;
    u64 bytes = 0;
  };

  bool watch(int fd, u64 tag);
  void accept_one();
  bool may_connect(const peer& who) const;
  bool make_space(uid_t uid, u64 now);
  std::size_t connections_of(uid_t uid, bool all) const;
  void hear(u64 id);
  // The refusal's errno is 0 if it is admitted.
  reply admit(u64 id, newcomer& from, const hello& asked);
  // orders.cpp
  reply take_order(newcomer& from, const hello& asked, std::vector<descriptor> files);
  void finish_orders();
  void finish(order& done);
  static void send_text(int socket, const std::string& text);
  void show_progress();

  service_server& server_;
  serving& serving_;
  service_table services_;
  const service_daemon_options& options_;
  schedule::processes::listening_socket listening_;
  const int ended_;
  descriptor events_, stop_, ask_, order_done_;
  std::map<u64, newcomer> newcomers_;
  std::map<u64, admitted> admitted_;
  u64 next_id_, bytes_ = 0;
  u64 shown_requests_ = 0, shown_bytes_ = 0, shown_at_ = 0;
  loading loading_;
};

}  // namespace genesys::detail::serving
