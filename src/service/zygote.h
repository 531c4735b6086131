// SPDX-License-Identifier: Apache-2.0
// The zygote: a process without threads and without CUDA that forks the GPU's side of an isolated server, again and
// again. The server forks it before CUDA starts, because a child of a process that uses CUDA cannot use it. It ends
// with the server's process. One thread at a time calls this object, except pid().
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string>

#include "genesys/detail/wire/types.h"

namespace genesys::detail::services {

class zygote {
 public:
  // `child`: what each child does, from its number. The child ends when it returns. `may_use_cuda`: it may. Throws
  // error: system (Linux gives no process), forked (CUDA is in use in this process).
  zygote(std::function<void(u32)> child, bool may_use_cuda);
  // Kills the child, and ends the zygote. In a process that the program has forked it leaves both alone.
  ~zygote();
  zygote(const zygote&) = delete;
  zygote& operator=(const zygote&) = delete;

  // Forks child number `number`; there is none. False: Linux gives none, or the zygote is gone; why() says it.
  bool start(u32 number);
  const std::string& why() const { return why_; }
  // For poll(): readable when the child is dead and has closed all that it had. -1: there is no child.
  int death_fd() const { return death_fd_; }
  bool is_dead(int timeout_ms) const;
  bool is_there() const { return !is_gone_; }
  void kill();
  // After its death: how it died, in words. There is no child then.
  std::string reap();

  pid_t child_pid() const { return child_pid_.load(); }
  pid_t pid() const { return pid_; }

 private:
  bool ask(u32 what, u32 number, i64& into);

  int socket_ = -1, death_fd_ = -1;
  pid_t pid_ = -1, owner_ = -1;
  std::atomic<pid_t> child_pid_{-1};
  std::string why_;
  bool is_gone_ = false;
};

}  // namespace genesys::detail::services
