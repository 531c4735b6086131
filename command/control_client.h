// SPDX-License-Identifier: Apache-2.0
// Asks the runtimes of another process, through their control sockets (src/host/control_socket.h).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace genesys::command {

// The numbers of the process's runtimes that listen.
std::vector<unsigned> runtimes_of(pid_t pid);
// All processes with a runtime that listens in this network namespace.
std::vector<pid_t> processes_with_runtimes();
// Why a process has none, for a person.
std::string why_no_runtime(pid_t pid);

// Sends a request and returns the reply. Throws std::runtime_error: the runtime is gone, or refuses, or another process
// listens in its place.
std::string ask_runtime(pid_t pid, unsigned runtime, const std::string& request);

// A recording of a runtime of another process.
class remote_recording {
 public:
  struct content {
    unsigned data_bytes;
    bool paths;
  };
  // To an open file, which stays the caller's, or into a pipe. Throws std::runtime_error: the runtime refuses, or is
  // gone.
  remote_recording(pid_t pid, unsigned runtime, const content& what, int file);
  remote_recording(pid_t pid, unsigned runtime, const content& what);
  remote_recording(remote_recording&& from) noexcept;
  ~remote_recording();

  int pipe() const { return pipe_; }  // the end to read, which does not block; -1: there is none
  // Asks the runtime to end the recording. What is left comes through the pipe, and then its end.
  void end();
  // Waits until the recording to this file has ended. After end(), or when the process has ended. False: the process
  // does not reply, and the file has not grown for no_progress_s.
  bool wait(int file);
  static constexpr int no_progress_s = 5;
  // Whether the runtime has ended the recording, or is gone.
  bool is_over() const;

 private:
  void ask(pid_t pid, unsigned runtime, const content& what, int file);

  int connection_ = -1, pipe_ = -1;
};

}  // namespace genesys::command
