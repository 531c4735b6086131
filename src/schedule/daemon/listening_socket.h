// SPDX-License-Identifier: Apache-2.0
// The socket at which a daemon listens, and the lock that keeps a second daemon from it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "schedule/daemon/descriptor.h"

namespace genesys::schedule::processes {

struct listening_place {
  std::string path;            // its directory exists
  std::optional<gid_t> group;  // which may connect, besides root and the daemon's user
  bool is_for_all = false;     // without a group: all users may
  std::string daemon;          // the command, for messages
  int waiting_max = 0;         // connections that wait to be accepted
};

class listening_socket {
 public:
  listening_socket() = default;
  // Packets (SOCK_SEQPACKET). Throws std::runtime_error, which says what to do.
  explicit listening_socket(const listening_place& at);
  // One that listens already. Nothing removes its path.
  explicit listening_socket(int fd) : socket_(fd) {}
  listening_socket(listening_socket&&) noexcept = default;
  listening_socket& operator=(listening_socket&&) noexcept = default;
  ~listening_socket();

  int get() const { return socket_.get(); }
  // Writes the process's number into the lock's file, for people.
  void note_process() const;

 private:
  descriptor lock_, socket_;
  std::string path_;
};

}  // namespace genesys::schedule::processes
