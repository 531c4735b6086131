// SPDX-License-Identifier: Apache-2.0
// What servers share: an address, and the signals that end them. Host code.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/program.h"

namespace application {

inline sockaddr_in address_of(const std::string& text, unsigned port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<unsigned short>(port));
  if (::inet_pton(AF_INET, text.c_str(), &at.sin_addr) != 1)
    throw std::runtime_error("'" + text + "' is no IPv4 address");
  return at;
}

// SIGINT and SIGTERM. The thread that makes the object blocks them, and so do the threads that it starts later.
class end_signals {
 public:
  end_signals() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGINT);
    ::sigaddset(&set_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  void wait() const {
    int got = 0;
    while (::sigwait(&set_, &got) == EINTR) {
    }
  }

 private:
  sigset_t set_;
};

// Waits until all servers of a kernel have started: `has_started(i)` for each i in [0, count). False: not all blocks
// are resident at a time, so that some would never serve.
template <class HasStarted>
bool all_start(unsigned count, const HasStarted& has_started) {
  constexpr std::chrono::seconds limit{10};
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < count;) {
    if (has_started(i))
      ++i;
    else if (std::chrono::steady_clock::now() - begin > limit)
      return false;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace application
