// SPDX-License-Identifier: Apache-2.0
// What the tests of the daemon share: a daemon in a child process, and a folder for its files. Called by the test's
// thread.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "schedule/daemon/client.h"
#include "schedule/daemon/clock.h"
#include "schedule/daemon/server.h"
#include "support/processes.h"

namespace daemon_testing {

using namespace genesys::schedule::processes;

// A folder that other users may enter.
class folder {
 public:
  folder() {
    char name[] = "/tmp/genesys-daemon.XXXXXX";
    path_ = ::mkdtemp(name);
    ::chmod(path_.c_str(), 0755);
  }
  ~folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The daemon serves when the constructor returns.
class daemon_process {
 public:
  explicit daemon_process(server_options options) : socket_(options.socket), child_(started(std::move(options))) {}
  child& process() { return child_; }
  const std::string& socket() const { return socket_; }

 private:
  static child started(server_options options) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("pipe");
    child made([&] {
      server one(std::move(options));
      ::close(ready[0]);
      [[maybe_unused]] const ssize_t written = ::write(ready[1], "x", 1);
      one.run();
      return 0;
    });
    ::close(ready[1]);
    char got;
    EXPECT_EQ(::read(ready[0], &got, 1), 1) << "the daemon does not start";
    ::close(ready[0]);
    return made;
  }
  std::string socket_;
  child child_;
};

inline client_options options_of(const std::string& socket, int nice) {
  client_options options;
  options.socket = socket;
  options.nice = nice;
  options.retry = 20'000'000;
  return options;
}

inline void sleep_ms(unsigned ms) { ::usleep(ms * 1000); }

// Until `condition` holds, at most 5 s. Whether it does.
template <class Condition>
bool eventually(Condition condition) {
  const time_ns until = now_ns() + 5'000'000'000;
  while (!condition()) {
    if (now_ns() > until) return false;
    ::usleep(200);
  }
  return true;
}

// Waits until the client may launch, at most 5 s. Whether it may.
inline bool resumes(client& one) {
  return eventually([&] {
    if (one.begin() == hold::none) return true;
    one.wait(client::wait_max_ns);
    return false;
  });
}

}  // namespace daemon_testing
