// SPDX-License-Identifier: Apache-2.0
#include "control_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

#include "printable.h"

namespace genesys::command {
namespace {

constexpr int pipe_bytes = 1 << 20;
constexpr int waits_s = 5;
constexpr std::size_t reply_bytes_max = 16 << 20;

// {process, runtime} of all that listen in this network namespace.
std::set<std::pair<pid_t, unsigned>> listening() {
  std::set<std::pair<pid_t, unsigned>> all;
  std::ifstream from("/proc/net/unix");
  for (std::string line; std::getline(from, line);) {
    const std::size_t at = line.find("@genesys/");
    int pid;
    unsigned runtime;
    if (at != std::string::npos && std::sscanf(line.c_str() + at, "@genesys/%d/%u", &pid, &runtime) == 2)
      all.emplace(pid, runtime);
  }
  return all;
}

std::runtime_error failed(pid_t pid, const std::string& what) {
  return std::runtime_error("process " + std::to_string(pid) + ": " + what);
}

// Any process can listen at an address with the number of another one. Why this is not the process; empty: it is.
std::string why_not_the_process(int connection, pid_t pid) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) return std::strerror(errno);
  if (peer.pid != pid) return "process " + std::to_string(peer.pid) + " listens in its place";
  struct stat process {};
  if (::stat(("/proc/" + std::to_string(pid)).c_str(), &process) != 0) return "there is no such process";
  if (process.st_uid == peer.uid) return {};
  return "a process of user " + std::to_string(peer.uid) + " listens in its place; it belongs to user " +
         std::to_string(process.st_uid);
}

int connected(pid_t pid, unsigned runtime) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw failed(pid, std::strerror(errno));
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  const int length = std::snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "genesys/%d/%u", pid, runtime);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<unsigned>(length));
  const timeval longest{waits_s, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);  // also of connect(): a queue may be full
  const int error = ::connect(fd, reinterpret_cast<sockaddr*>(&at), bytes) == 0 ? 0 : errno;
  const std::string why = error == 0              ? why_not_the_process(fd, pid)
                          : error == ECONNREFUSED ? why_no_runtime(pid)
                          : error == EAGAIN       ? std::string("it does not reply")
                                                  : std::strerror(error);
  if (why.empty()) return fd;
  ::close(fd);
  throw failed(pid, why);
}

// Up to the end of the connection, or of the first line.
std::string reply_from(pid_t pid, int fd, bool one_line) {
  std::string reply;
  for (char text[4096];;) {
    const ssize_t got = ::recv(fd, text, sizeof text, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno != ECONNRESET || reply.empty()))  // it may have refused before it read the request
      throw failed(pid, "it does not reply (" + std::string(std::strerror(errno)) + ")");
    reply.append(text, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (reply.size() > reply_bytes_max) throw failed(pid, "its reply is longer than 16 MiB");
    if (got <= 0 || (one_line && reply.find('\n') != std::string::npos)) break;
  }
  if (reply.starts_with("refused: ")) {
    while (reply.ends_with('\n')) reply.pop_back();
    throw failed(pid, "it refuses: " + printable(reply.substr(9)));
  }
  return reply;
}

}  // namespace

std::vector<unsigned> runtimes_of(pid_t pid) {
  std::vector<unsigned> numbers;
  for (const auto& [process, runtime] : listening()) {
    if (process == pid) numbers.push_back(runtime);
  }
  return numbers;
}

std::vector<pid_t> processes_with_runtimes() {
  std::set<pid_t> all;
  for (const auto& [process, runtime] : listening()) all.insert(process);
  return {all.begin(), all.end()};
}

std::string why_no_runtime(pid_t pid) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return "there is no such process";
  return "it has no runtime of genesys now (or one with options::control off, or in another network namespace)";
}

std::string ask_runtime(pid_t pid, unsigned runtime, const std::string& request) {
  const int fd = connected(pid, runtime);
  const std::string line = request + "\n";
  try {
    if (::send(fd, line.data(), line.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE)  // a refusal may be there
      throw failed(pid, std::strerror(errno));
    std::string reply = reply_from(pid, fd, false);
    ::close(fd);
    return reply;
  } catch (...) {
    ::close(fd);
    throw;
  }
}

remote_recording::remote_recording(pid_t pid, unsigned runtime, const content& what, int file) {
  ask(pid, runtime, what, file);
}

remote_recording::remote_recording(pid_t pid, unsigned runtime, const content& what) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw failed(pid, std::strerror(errno));
  ::fcntl(ends[0], F_SETPIPE_SZ, pipe_bytes);  // a smaller one does as well
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  try {
    ask(pid, runtime, what, ends[1]);
  } catch (...) {
    ::close(ends[0]), ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
  pipe_ = ends[0];
}

void remote_recording::ask(pid_t pid, unsigned runtime, const content& what, int file) {
  const int fd = connected(pid, runtime);
  try {
    const std::string line = "trace " + std::to_string(what.data_bytes) + " " + std::to_string(int{what.paths}) + "\n";
    iovec text{const_cast<char*>(line.data()), line.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &text, message.msg_iovlen = 1;
    message.msg_control = control, message.msg_controllen = sizeof control;
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &file, sizeof file);
    if (::sendmsg(fd, &message, MSG_NOSIGNAL) < 0 && errno != EPIPE) throw failed(pid, std::strerror(errno));
    reply_from(pid, fd, true);
  } catch (...) {
    ::close(fd);
    throw;
  }
  connection_ = fd;
}

remote_recording::remote_recording(remote_recording&& from) noexcept
    : connection_(std::exchange(from.connection_, -1)), pipe_(std::exchange(from.pipe_, -1)) {}

remote_recording::~remote_recording() {
  if (connection_ >= 0) ::close(connection_);
  if (pipe_ >= 0) ::close(pipe_);
}

void remote_recording::end() { ::shutdown(connection_, SHUT_WR); }

bool remote_recording::wait(int file) {
  constexpr int look_ms = 100;
  off_t before = -1;
  for (int waited_ms = 0; !is_over(); waited_ms += look_ms) {
    struct stat now {};
    if (::fstat(file, &now) == 0 && std::exchange(before, now.st_size) != now.st_size) waited_ms = 0;
    if (waited_ms >= no_progress_s * 1000) return false;
    pollfd looked{connection_, POLLIN, 0};
    ::poll(&looked, 1, look_ms);
  }
  return true;
}

bool remote_recording::is_over() const {
  char one;
  const ssize_t got = ::recv(connection_, &one, sizeof one, MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

}  // namespace genesys::command
